/**
 * How debug information names files: relative to the debug source root with `/`; outside the root by the file's name alone.
 * Without a root relative names keep their spelling, absolute ones become the file's name. No path of a machine gets through.
 */

export interface DebugPathOptions {
  debugSourceRoot?: string;
  /** Folder against which relative names are resolved when the root is absolute. */
  workingDirectory?: string;
}

export function debugPath(name: string, options: DebugPathOptions): string {
  const { debugSourceRoot: root, workingDirectory } = options;
  const path = split(name);
  if (root === undefined) return path.anchor === undefined ? name : fileName(path);
  const base = resolve(split(root), workingDirectory);
  const full =
    path.anchor === undefined && base.anchor !== undefined ? resolve(path, workingDirectory) : path;
  return relative(full, base) ?? fileName(path);
}

interface Path {
  /** `/`, `c:/`, `//server/share`; undefined for relative paths. Windows anchors are in lower case. */
  anchor: string | undefined;
  /** Without `.`, `..` and empty ones, as far as they can be folded. */
  parts: string[];
  /** Parts compare without case. */
  windows: boolean;
}

function split(text: string): Path {
  const slashed = text.replace(/\\/g, '/');
  const drive = /^([A-Za-z]:)(\/?)(.*)$/s.exec(slashed);
  if (drive) return { anchor: `${drive[1]!.toLowerCase()}/`, parts: fold(drive[3]!, true), windows: true };
  const share = /^\/\/([^/]+)\/([^/]+)(.*)$/s.exec(slashed);
  // Two slashes that the user wrote as such are a doubled slash; only backslashes make a network name.
  if (share && text.startsWith('\\\\')) {
    return {
      anchor: `//${share[1]!.toLowerCase()}/${share[2]!.toLowerCase()}`,
      parts: fold(share[3]!, true),
      windows: true,
    };
  }
  if (slashed.startsWith('/'))
    return { anchor: '/', parts: fold(slashed, true), windows: text.startsWith('\\') };
  return { anchor: undefined, parts: fold(slashed, false), windows: text.includes('\\') };
}

function fold(text: string, absolute: boolean): string[] {
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push(part);
  }
  return parts;
}

function resolve(path: Path, workingDirectory: string | undefined): Path {
  if (path.anchor !== undefined || workingDirectory === undefined) return path;
  const base = split(workingDirectory);
  return { ...base, parts: fold([...base.parts, ...path.parts].join('/'), base.anchor !== undefined) };
}

/** Undefined outside the root. */
function relative(path: Path, root: Path): string | undefined {
  if (path.anchor !== root.anchor || path.parts.length <= root.parts.length) return undefined;
  const ignoreCase = path.windows || root.windows;
  const same = (a: string, b: string) => (ignoreCase ? a.toLowerCase() === b.toLowerCase() : a === b);
  if (!root.parts.every((part, i) => same(part, path.parts[i]!))) return undefined;
  const rest = path.parts.slice(root.parts.length);
  return rest[0] === '..' ? undefined : rest.join('/');
}

function fileName(path: Path): string {
  return path.parts.at(-1) ?? '';
}

/** The same for every spelling of one file, as far as that can be told without looking at the disk. */
export function pathIdentity(name: string, options: DebugPathOptions): string {
  const path = resolve(split(name), options.workingDirectory);
  return `${path.anchor ?? ''}|${path.parts.join('/')}`;
}
