/**
 * Makes DXC's spellings regular, so that commander can read them: `-Fo x`, `-Fox`, `/Fo x`, `-Fo=x` and `-fvk-b-shift 1 2` all
 * become `--<index of the row>=<name as written><words>`. Unknown flags are errors here, with the nearest known flag named.
 */
import { flags } from './flags.ts';

export class ArgumentError extends Error {}

/** What the command line needs to know of files while it reads its arguments. */
export interface ArgumentFiles {
  read(path: string): string;
  exists(path: string): boolean;
}

/** Stands between the words of the regular form; no argument can contain it. */
export const wordSeparator = '\u0000';

/** Rows by name. */
const byName = new Map<string, number>();
let longestName = 0;
flags.forEach((flag, index) => {
  for (const name of flag.names) {
    byName.set(name, index);
    longestName = Math.max(longestName, name.length);
  }
});

/** The longest name of a flag that a word with its value behind it begins with, and the flag's row. */
function findJoined(text: string): { row: number; name: string } | undefined {
  for (let length = Math.min(text.length - 1, longestName); length > 0; length--) {
    const name = text.slice(0, length);
    const row = byName.get(name);
    if (row !== undefined && ['joined', 'either'].includes(String(flags[row]!.value))) return { row, name };
  }
  return undefined;
}

/** Gives `--N=name` and the words of the value for flags and other words as they are; response files are read in place. */
export function regularize(argv: readonly string[], files: ArgumentFiles): string[] {
  const words = expandResponseFiles(argv, files, 0);
  const result: string[] = [];
  const inputs: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--help' || word === '-help' || word === '-h' || word === '-?' || word === '/?')
      result.push('--help');
    else if (word === '--version' || word === '-version') result.push('--version');
    else if (isInput(word, files)) inputs.push(word);
    else i = regularizeFlag(words, i, result);
  }
  return [...result, '--', ...inputs];
}

/** `/path/to/x.hlsl` is a file, `/Fo` a flag. */
function isInput(word: string, files: ArgumentFiles): boolean {
  if (word === '-' || !/^[-/]/.test(word)) return true;
  if (!word.startsWith('/')) return false;
  if (files.exists(word)) return true;
  const found = find(word);
  return found === undefined || Boolean(flags[found.row]!.dashOnly);
}

interface Found {
  row: number;
  name: string;
  rest: string | undefined;
}

function find(word: string): Found | undefined {
  const text = word.replace(/^(--|-|\/)/, '');
  const exact = byName.get(text);
  if (exact !== undefined && flags[exact]!.value !== 'joined')
    return { row: exact, name: text, rest: undefined };
  const equals = text.indexOf('=');
  if (equals > 0) {
    const name = text.slice(0, equals);
    const row = byName.get(name);
    if (
      row !== undefined &&
      ['equals', 'either', 'separate'].includes(String(flags[row]!.value)) &&
      name !== 'D'
    ) {
      return { row, name, rest: text.slice(equals + 1) };
    }
  }
  const joined = findJoined(text);
  return joined && { ...joined, rest: text.slice(joined.name.length) };
}

function regularizeFlag(words: readonly string[], at: number, result: string[]): number {
  const word = words[at]!;
  const found = find(word);
  if (!found) throw new ArgumentError(`unknown flag '${word}'${suggestion(word)}`);
  const flag = flags[found.row]!;
  const spelled = word.startsWith('/') ? `/${found.name}` : `-${found.name}`;
  const take = (count: number): string[] => {
    const taken = words.slice(at + 1, at + 1 + count);
    if (taken.length < count)
      throw new ArgumentError(
        `flag '${spelled}' needs ${count === 1 ? 'a value' : `${count} values`}${flag.metavar ? ': ' + flag.metavar : ''}`,
      );
    return taken;
  };
  const regular = (...value: string[]): number =>
    result.push([`--${found.row}=${spelled}`, ...value].join(wordSeparator));
  if (flag.value === 'none') {
    regular();
    return at;
  }
  if (typeof flag.value === 'number') {
    regular(...take(flag.value));
    return at + flag.value;
  }
  if (found.rest !== undefined) {
    regular(found.rest);
    return at;
  }
  // `equals` is tolerant: `--debug-source-root folder` is what people type.
  regular(...take(1));
  return at + 1;
}

function expandResponseFiles(argv: readonly string[], files: ArgumentFiles, depth: number): string[] {
  if (depth > 10) throw new ArgumentError('response files are nested too deep');
  return argv.flatMap((word) => {
    if (!word.startsWith('@') || word.length === 1) return [word];
    let text: string;
    try {
      text = files.read(word.slice(1));
    } catch {
      throw new ArgumentError(`cannot read the response file '${word.slice(1)}'`);
    }
    return expandResponseFiles(splitWords(text), files, depth + 1);
  });
}

/** Words of a response file: blanks separate, quotes of both kinds group, a backslash keeps the next quote. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let open = false;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '\\' && (text[i + 1] === '"' || text[i + 1] === "'")) word += text[++i];
    else if (quote) {
      if (c === quote) quote = '';
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      open = true;
    } else if (/\s/.test(c)) {
      if (open || word) words.push(word);
      word = '';
      open = false;
    } else word += c;
  }
  if (open || word) words.push(word);
  return words;
}

/** ` (did you mean '-Fo'?)` for the nearest known flag, or nothing if none is near. */
function suggestion(word: string): string {
  const text = word.replace(/^(--|-|\/)/, '').split('=')[0]!;
  let best = '';
  let least = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const name of byName.keys()) {
    const distance = editDistance(text, name, least);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best ? `; did you mean '-${best}'?` : '';
}

/** Levenshtein distance, cut off at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
