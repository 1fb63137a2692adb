/**
 * Takes debug information out of a module: what is left is the module that a build without it gives, and the build identifier if
 * it is to stay. Ids are numbered anew in order of their first occurrence, so that they tell nothing of what was there.
 */
import { Debug, Op } from './enums.ts';
import { instructionsOf, isWhole, readString, type WordRole, wordRoles } from './grammar.ts';

const nonSemanticSet = 'NonSemantic.Shader.DebugInfo.100';
/** Sets that say nothing of the source are code: what DebugPrintf prints is the program's output. */
const isDebugSet = (name: string): boolean => name.startsWith('NonSemantic.Shader.DebugInfo');
const nonSemanticExtension = 'SPV_KHR_non_semantic_info';

/** An instruction: where its operands stand in the module's words, and how many of them there are. */
interface Part {
  op: number;
  at: number;
  count: number;
  roles: readonly WordRole[];
  kept: boolean;
}

export interface StripOptions {
  /** DebugBuildIdentifier and DebugStoragePath stay, so that the debug file can be found. */
  keepIdentifier: boolean;
}

/** The module without debug information. Undefined if the words are no module, or have an instruction of unknown form. */
export function stripDebug(words: Uint32Array, { keepIdentifier }: StripOptions): Uint32Array | undefined {
  const parts = readParts(words);
  if (!parts) return undefined;
  const sets = new Map<number, string>();
  for (const { op, at } of parts)
    if (op === Op.ExtInstImport) sets.set(words[at]!, readString(words, at + 1).text);
  const isRecord = ({ op, at }: Part) => op === Op.ExtInst && isDebugSet(sets.get(words[at + 2]!) ?? '');
  const names = [...sets.values()];
  let keepsRecords = false;
  let hasSource = false;
  for (const part of parts) {
    if (isRecord(part)) {
      const isIdentity =
        sets.get(words[part.at + 2]!) === nonSemanticSet &&
        (words[part.at + 3] === Debug.DebugBuildIdentifier || words[part.at + 3] === Debug.DebugStoragePath);
      part.kept = keepIdentifier && isIdentity;
      keepsRecords ||= part.kept;
    } else if (classicDebug.has(part.op)) part.kept = false;
    else if (part.op === Op.Source) {
      part.count = 2;
      // One per file is left with lines; without them one says all.
      part.kept = !hasSource;
      hasSource = true;
    }
  }
  for (const part of parts) {
    const { op, at } = part;
    if (op === Op.Extension && readString(words, at).text === nonSemanticExtension)
      part.kept = keepsRecords || names.some((name) => name.startsWith('NonSemantic.') && !isDebugSet(name));
    if (op === Op.ExtInstImport && isDebugSet(sets.get(words[at]!)!))
      part.kept = keepsRecords && sets.get(words[at]!) === nonSemanticSet;
  }
  dropUnused(words, parts);
  return renumbered(
    words,
    parts.filter(({ kept }) => kept),
  );
}

/** The text of DebugBuildIdentifier; undefined if the module has none. */
export function buildIdentifier(words: Uint32Array): string | undefined {
  const strings = new Map<number, string>();
  let set = 0;
  for (const [, op, w] of instructionsOf(words)) {
    if (op === Op.ExtInstImport && readString(w, 1).text === nonSemanticSet) set = w[0]!;
    if (op === Op.String) strings.set(w[0]!, readString(w, 1).text);
    if (op === Op.ExtInst && w[2] === set && w[3] === Debug.DebugBuildIdentifier) return strings.get(w[4]!);
  }
  return undefined;
}

export type Joined = { words: Uint32Array } | { problem: string };

/** The whole module from a stripped one and its debug file, if they belong together. */
export function joinDebug(stripped: Uint32Array, debug: Uint32Array): Joined {
  const [name, debugName] = [buildIdentifier(stripped), buildIdentifier(debug)];
  if (name === undefined) return { problem: 'the stripped module has no build identifier' };
  if (debugName === undefined) return { problem: 'the debug file has no build identifier' };
  if (name !== debugName)
    return { problem: `the debug file belongs to another module: ${debugName}, not ${name}` };
  if (stripDebug(debug, { keepIdentifier: true })?.length === debug.length)
    return { problem: 'the second module is a stripped one too: it has no debug information' };
  const code = stripDebug(stripped, { keepIdentifier: false });
  const debugCode = stripDebug(debug, { keepIdentifier: false });
  const isSame =
    code && debugCode && code.length === debugCode.length && code.every((word, i) => word === debugCode[i]);
  // Identifiers are equal, so one of the two was changed after it was made.
  if (!isSame) return { problem: 'the code of the two modules differs' };
  return { words: debug };
}

const classicDebug = new Set<number>([
  Op.Line,
  Op.NoLine,
  Op.SourceContinued,
  Op.SourceExtension,
  Op.ModuleProcessed,
]);

function readParts(words: Uint32Array): Part[] | undefined {
  if (!isWhole(words)) return undefined;
  const parts: Part[] = [];
  const wide = new Set<number>();
  const wideValues = new Set<number>();
  for (let next = 5; next < words.length; ) {
    const op = words[next]! & 0xffff;
    const count = (words[next]! >>> 16) - 1;
    const at = next + 1;
    next = at + count;
    if (op === Op.TypeInt && words[at + 1] === 64) wide.add(words[at]!);
    const selectorWords = op === Op.Switch && wideValues.has(words[at]!) ? 2 : 1;
    const roles = wordRoles(op, words, selectorWords, at, count);
    if (roles?.length !== count) return undefined;
    if (wide.size > 0 && roles[0] === 'type' && wide.has(words[at]!)) wideValues.add(words[at + 1]!);
    parts.push({ op, at, count, roles, kept: true });
  }
  return parts;
}

const isDeclaration = (op: number): boolean =>
  op === Op.String || op === Op.Undef || (op >= Op.TypeVoid && op <= Op.SpecConstantOp);

/** Drops what only dropped instructions mention. Uses stand behind definitions there, so one walk from the end is enough. */
function dropUnused(words: Uint32Array, parts: Part[]): void {
  const needed = new Set<number>();
  const mentioned = new Set<number>();
  const names: Part[] = [];
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!;
    const own = isDeclaration(part.op) ? resultOf(words, part) : undefined;
    const isUnused = own !== undefined && !needed.has(own);
    // Strings serve debug information alone, those of OpSource too.
    if (isUnused && (mentioned.has(own) || part.op === Op.String)) part.kept = false;
    if (
      part.op === Op.Name ||
      part.op === Op.MemberName ||
      part.op === Op.Decorate ||
      part.op === Op.MemberDecorate
    ) {
      names.push(part);
      continue;
    }
    const { at, count, roles } = part;
    const found = part.kept ? needed : mentioned;
    for (let n = 0; n < count; n++) if (roles[n] === 'id' || roles[n] === 'type') found.add(words[at + n]!);
  }
  const gone = new Set(parts.filter(({ kept }) => !kept).map((part) => resultOf(words, part)));
  for (const part of names) if (gone.has(words[part.at])) part.kept = false;
}

function resultOf(words: Uint32Array, { at, roles }: Part): number | undefined {
  const index = roles.indexOf('result');
  return index < 0 ? undefined : words[at + index];
}

function renumbered(words: Uint32Array, parts: Part[]): Uint32Array {
  const ids = new Map<number, number>();
  const size = parts.reduce((sum, part) => sum + part.count + 1, 5);
  const result = new Uint32Array(size);
  let at = 5;
  const idOf = (word: number): number => {
    let id = ids.get(word);
    if (id === undefined) {
      id = ids.size + 1;
      ids.set(word, id);
    }
    return id;
  };
  for (const { op, at: from, count, roles } of parts) {
    result[at++] = ((count + 1) << 16) | op;
    for (let i = 0; i < count; i++) {
      const word = words[from + i]!;
      result[at++] = roles[i] === 'literal' ? word : idOf(word);
    }
  }
  result.set([words[0]!, words[1]!, words[2]!, ids.size + 1, words[4]!]);
  return result;
}
