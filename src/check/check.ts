/**
 * AST -> typed program. Declarations are taken in order, bodies with them, as in C: a name must be declared before it is
 * used. Then the entry is found, what it reaches, the numbers of its bindings and the variables of its interface.
 */
import type { Options } from '../options.ts';
import type { Tokens } from '../preprocess/token.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Location, SourceMap } from '../source/source-map.ts';
import type { Unit } from '../syntax/ast.ts';
import { assignBindings } from './bindings.ts';
import type { Context } from './context.ts';
import { declare } from './declarations.ts';
import { buildEntry, findEntry } from './entry-points.ts';
import { checkGlobalRules } from './global-rules.ts';
import { bindLanguageNames } from './language-names.ts';
import { parseProfile, type Profile } from './profile.ts';
import { checkGlobalsBuffer } from './globals.ts';
import type { Program, VariableSymbol } from './program.ts';
import { reachFrom, type Reach } from './reach.ts';
import { resourceLeaves } from './resources.ts';
import { newScope } from './scope.ts';
import { checkStageInputs } from './stage-inputs.ts';
import { joinSegments, openSegment } from './segments.ts';

interface CheckEnvironment {
  options: Options;
  map: SourceMap;
  log: DiagnosticLog;
  tokens: Tokens;
}

/** The typed program, or undefined if there was an error. */
export function check(unit: Unit, env: CheckEnvironment): Program | undefined {
  const { log } = env;
  const profile = parseProfile(env.options.profile, log, entryLocation(unit, env.options.entry));
  if (!profile) return undefined;
  const before = log.errors;
  const context = newContext(env, profile);
  bindLanguageNames(context);
  openSegment(context, log);
  for (const declaration of unit.declarations) declare(context, declaration);
  const program = finish(context, log);
  return log.errors > before ? undefined : program;
}

/** Of the entry's name, before anything is known of it; of the first declaration if there is none, as in libraries. */
function entryLocation(unit: Unit, entry: string): Location {
  const found = unit.declarations.find((each) => each.kind === 'function' && each.name.name.text === entry);
  if (found?.kind === 'function') return found.name.name.at;
  return unit.declarations[0]?.at ?? 0;
}

function newContext({ options, log, map, tokens }: CheckEnvironment, profile: Profile): Context {
  const global = newScope('global', undefined);
  return {
    options,
    log,
    map,
    tokens,
    stage: profile.stage,
    shaderModel: profile.shaderModel,
    global,
    scope: global,
    structs: new Map(),
    globals: [],
    declared: {
      functions: new Map(),
      registers: new Map(),
      incomplete: new Set(),
      pending: [],
      heaps: new Map(),
      coherent: new Set(),
      structDepth: 0,
      anonymous: 0,
      segments: [],
    },
  };
}

/** What can be done only when everything is declared. Joins all messages into `log`. */
function finish(context: Context, log: DiagnosticLog): Program | undefined {
  const symbol = findEntry(context);
  if (!symbol) {
    joinSegments(context, log, new Set());
    return undefined;
  }
  checkGlobalsBuffer(context);
  const reach = reachFrom(symbol, context.log);
  assignBindings(context, reach);
  const entry = buildEntry(context, symbol);
  checkStageInputs(context, entry, reach.inputReads);
  const globals = usedGlobals(context, reach);
  checkGlobalRules(context, reach, globals);
  joinSegments(context, log, reach.functions);
  const [untyped] = reach.untyped;
  if (untyped && log.errors === 0) log.report('effect-object-used', untyped.at, {}, untyped.end);
  return { globals, entry, enable16BitTypes: context.options.enable16BitTypes };
}

/** Globals that the entry reaches; all with a binding if bindings are to be kept. A split struct gives its parts. */
function usedGlobals(context: Context, reach: Reach): VariableSymbol[] {
  const keep = context.options.preserveBindings;
  return context.globals
    .filter(
      (symbol) => reach.globals.has(symbol) || (keep && resourceLeaves(symbol).some((leaf) => leaf.binding)),
    )
    .flatMap(resourceLeaves);
}
