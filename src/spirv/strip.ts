/**
 * Takes debug information out of a module: what is left is the module that a build without it gives, and the build identifier if
 * it is to stay. Ids are numbered anew in order of their first occurrence, so that they tell nothing of what was there.
 */
import { Debug, Op } from './enums.ts';
import { instructionsOf, isWhole, readString, type WordRole, wordRoles } from './grammar.ts';
import { sha256 } from './sha256.ts';

const nonSemanticSet = 'NonSemantic.Shader.DebugInfo.100';
const nonSemanticExtension = 'SPV_KHR_non_semantic_info';

interface Part {
  op: number;
  words: Uint32Array;
  roles: WordRole[];
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
  for (const { op, words: w } of parts) if (op === Op.ExtInstImport) sets.set(w[0]!, readString(w, 1).text);
  const isRecord = ({ op, words: w }: Part) =>
    op === Op.ExtInst && (sets.get(w[2]!) ?? '').startsWith('NonSemantic.');
  let keepsRecords = false;
  let hasSource = false;
  for (const part of parts) {
    if (isRecord(part)) {
      const isIdentity =
        sets.get(part.words[2]!) === nonSemanticSet &&
        (part.words[3] === Debug.DebugBuildIdentifier || part.words[3] === Debug.DebugStoragePath);
      part.kept = keepIdentifier && isIdentity;
      keepsRecords ||= part.kept;
    } else if (classicDebug.has(part.op)) part.kept = false;
    else if (part.op === Op.Source) {
      part.words = part.words.slice(0, 2);
      part.roles = part.roles.slice(0, 2);
      // One per file is left with lines; without them one says all.
      part.kept = !hasSource;
      hasSource = true;
    }
  }
  for (const part of parts) {
    const { op, words: w } = part;
    if (op === Op.Extension && readString(w, 0).text === nonSemanticExtension) part.kept = keepsRecords;
    if (op === Op.ExtInstImport && sets.get(w[0]!)!.startsWith('NonSemantic.'))
      part.kept = keepsRecords && sets.get(w[0]!) === nonSemanticSet;
  }
  dropUnused(parts);
  return renumbered(
    words,
    parts.filter(({ kept }) => kept),
  );
}

/** Names the code of a module: the same with and without debug information, by 32 hexadecimal digits. */
export function codeIdentifier(words: Uint32Array): string | undefined {
  const code = stripDebug(words, { keepIdentifier: false });
  return code && sha256(code).slice(0, 32);
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
  for (const [, op, w] of instructionsOf(words)) {
    if (op === Op.TypeInt && w[1] === 64) wide.add(w[0]!);
    const roles = wordRoles(op, w, op === Op.Switch && wideValues.has(w[0]!) ? 2 : 1);
    if (!roles || roles.length !== w.length) return undefined;
    if (roles[0] === 'type' && wide.has(w[0]!)) wideValues.add(w[1]!);
    parts.push({ op, words: w, roles, kept: true });
  }
  return parts;
}

const isDeclaration = (op: number): boolean =>
  op === Op.String || op === Op.Undef || (op >= Op.TypeVoid && op <= Op.SpecConstantOp);

/** Drops what only dropped instructions mention. Uses stand behind definitions there, so one walk from the end is enough. */
function dropUnused(parts: Part[]): void {
  const needed = new Set<number>();
  const mentioned = new Set<number>();
  const names: Part[] = [];
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!;
    const own = part.words[part.roles.indexOf('result')];
    const isUnused = own !== undefined && isDeclaration(part.op) && !needed.has(own);
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
    part.roles.forEach((role, n) => {
      if (role === 'id' || role === 'type') (part.kept ? needed : mentioned).add(part.words[n]!);
    });
  }
  const gone = new Set(
    parts.filter(({ kept }) => !kept).map(({ words, roles }) => words[roles.indexOf('result')]),
  );
  for (const part of names) if (gone.has(part.words[0])) part.kept = false;
}

function renumbered(words: Uint32Array, parts: Part[]): Uint32Array {
  const ids = new Map<number, number>();
  const size = parts.reduce((sum, part) => sum + part.words.length + 1, 5);
  const result = new Uint32Array(size);
  let at = 5;
  for (const { op, words: operands, roles } of parts) {
    result[at++] = ((operands.length + 1) << 16) | op;
    operands.forEach((word, i) => {
      if (roles[i] === 'literal') result[at++] = word;
      else {
        let id = ids.get(word);
        if (id === undefined) {
          id = ids.size + 1;
          ids.set(word, id);
        }
        result[at++] = id;
      }
    });
  }
  result.set([words[0]!, words[1]!, words[2]!, ids.size + 1, words[4]!]);
  return result;
}
