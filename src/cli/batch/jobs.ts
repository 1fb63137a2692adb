/**
 * The job list of `--batch`: one JSON file that names all shaders of a project, written by the MSBuild package or by hand.
 *
 *     { "version": 1, "root": "/project", "cache": "obj/Debug/net10.0/oneshader", "threads": 0,
 *       "csharp": { "file": "obj/Debug/net10.0/OneShader.g.cs", "targetFramework": "net10.0", "rootNamespace": "Game" },
 *       "defaults": { "targets": "spirv;msl", "debugInfo": true, "optimize": false },
 *       "shaders": [ { "file": "Shaders/sky.ps.hlsl", "variants": [ { "name": "Fog", "defines": ["FOG=1"] } ] } ] }
 *
 * Build systems paste strings, so values are read leniently: a list is an array or one string with `;` between its items, a boolean
 * or number may be a string, and "" and null count as absent. With "encoding": "percent" characters in values may be written as `%22`, for
 * build systems that cannot write JSON's escapes. Names are read strictly: a field that is not known is an error, and what
 * ends up in C# must be an identifier.
 */
import { splitWords } from '../arguments.ts';

/** What is wrong with a job list, as a sentence that goes on from its name. */
export class JobFileError extends Error {}

/** How one file is compiled; `defaults` and the shader's own fields are merged. */
export interface ShaderJob {
  /** As written; relative to the root. */
  file: string;
  /** Without it and `profile`, the file's name or its `[shader]` attributes tell (see entries.ts). */
  entryPoint?: string;
  /** `ps_6_0`, or a shader model such as `6_6` for the stage that is found otherwise. */
  profile?: string;
  /** `NAME` or `NAME=VALUE`. */
  defines: string[];
  /** Relative to the root. */
  includeDirs: string[];
  targets: ('spirv' | 'msl')[];
  /** Further flags of the command line; in the string form blanks separate words and quotes group them. */
  options: string[];
  debugInfo: boolean;
  /** `0` to `3`; `false` in the file is 0, `true` 3. */
  optimize: number;
  targetEnv?: string;
  mslVersion?: string;
  warningsAsErrors: boolean;
  /** C# names; see csharp/generate.ts for what they are without. */
  className?: string;
  namespace?: string;
  accessModifier: 'internal' | 'public';
  /** One compilation each; in the string form `Name=DEFINE[=VALUE][,DEFINE...]`. If there is none, one without a name. */
  variants: Variant[];
}

export interface Variant {
  /** Absent for a shader without variants. */
  name?: string;
  defines: string[];
}

export interface JobList {
  /** Debug source root; relative paths start here. */
  root: string;
  /** Folder for state and blobs, which belongs to --batch alone. */
  cache: string;
  /** At most so many threads; 0: as many as pay. */
  threads: number;
  csharp?: { file: string; targetFramework: string; rootNamespace: string };
  shaders: ShaderJob[];
}

type Json = Record<string, unknown>;

/** Reads the text of a job list. Throws JobFileError. */
export function readJobs(text: string): JobList {
  const plain = parseJson(text, (one) => one);
  const isEncoded = !isAbsent(objectOf(plain, 'it', topFields)['encoding']);
  const list = objectOf(isEncoded ? parseJson(text, decodePercent) : plain, 'it', topFields);
  if (isEncoded && list['encoding'] !== 'percent')
    throw new JobFileError("must have 'encoding' percent or none");
  if (numberOf(list['version'], 'version') !== 1) throw new JobFileError("must have 'version' 1");
  const csharp = isAbsent(list['csharp']) ? undefined : readCsharp(list['csharp']);
  const defaults = isAbsent(list['defaults']) ? {} : objectOf(list['defaults'], 'defaults', sharedFields);
  const shaders = list['shaders'];
  if (!Array.isArray(shaders)) throw new JobFileError("must have a list 'shaders'");
  return {
    root: required(list, 'root', 'root'),
    cache: required(list, 'cache', 'cache'),
    threads: isAbsent(list['threads']) ? 0 : numberOf(list['threads'], 'threads'),
    ...(csharp && { csharp }),
    shaders: shaders.map((shader: unknown, i) => readShader(shader, defaults, `shaders[${i}]`)),
  };
}

/** JSON with each string replaced. */
function parseJson(text: string, replace: (one: string) => string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), (_, one: unknown) =>
      typeof one === 'string' ? replace(one) : one,
    );
  } catch {
    throw new JobFileError('is no JSON');
  }
}

function decodePercent(text: string): string {
  return text.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

const topFields = ['version', 'encoding', 'root', 'cache', 'threads', 'csharp', 'defaults', 'shaders'];
const sharedFields = [
  'entryPoint',
  'profile',
  'defines',
  'includeDirs',
  'targets',
  'options',
  'debugInfo',
  'optimize',
  'targetEnv',
  'mslVersion',
  'warningsAsErrors',
  'className',
  'namespace',
  'accessModifier',
];

function readCsharp(value: unknown): NonNullable<JobList['csharp']> {
  const csharp = objectOf(value, 'csharp', ['file', 'targetFramework', 'rootNamespace']);
  return {
    file: required(csharp, 'file', 'csharp.file'),
    targetFramework: stringOf(csharp['targetFramework'], 'csharp.targetFramework') ?? 'netstandard2.0',
    rootNamespace: namespaceOf(csharp['rootNamespace'], 'csharp.rootNamespace') ?? '',
  };
}

function readShader(value: unknown, defaults: Json, at: string): ShaderJob {
  const own = objectOf(value, at, ['file', 'variants', ...sharedFields]);
  const one = (name: string): unknown => (isAbsent(own[name]) ? defaults[name] : own[name]);
  const both = (name: string, read: (value: unknown, at: string) => string[]): string[] => [
    ...read(defaults[name], `defaults.${name}`),
    ...read(own[name], `${at}.${name}`),
  ];
  const text = (name: string): Partial<Record<string, string>> => {
    const found = stringOf(one(name), `${at}.${name}`);
    return found === undefined ? {} : { [name]: found };
  };
  const className = identifierOf(one('className'), `${at}.className`);
  const namespace = namespaceOf(one('namespace'), `${at}.namespace`);
  return {
    file: required(own, 'file', `${at}.file`),
    ...text('entryPoint'),
    ...text('profile'),
    ...text('targetEnv'),
    ...text('mslVersion'),
    ...(className !== undefined && { className }),
    ...(namespace !== undefined && { namespace }),
    defines: both('defines', listOf),
    includeDirs: both('includeDirs', listOf),
    options: both('options', wordsOf),
    targets: targetsOf(one('targets'), `${at}.targets`),
    debugInfo: booleanOf(one('debugInfo'), `${at}.debugInfo`) ?? false,
    optimize: levelOf(one('optimize'), `${at}.optimize`),
    warningsAsErrors: booleanOf(one('warningsAsErrors'), `${at}.warningsAsErrors`) ?? false,
    accessModifier: accessOf(one('accessModifier'), `${at}.accessModifier`),
    variants: variantsOf(own['variants'], `${at}.variants`),
  };
}

// ---- values

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function objectOf(value: unknown, at: string, known: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new JobFileError(at === 'it' ? 'must be an object' : `must have an object as '${at}'`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new JobFileError(`has a field '${at === 'it' ? '' : `${at}.`}${unknown}', which is not known`);
  return value as Json;
}

function stringOf(value: unknown, at: string): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') throw new JobFileError(`must have a string as '${at}'`);
  const text = value.trim();
  return text === '' ? undefined : text;
}

function required(from: Json, name: string, at: string): string {
  const found = stringOf(from[name], at);
  if (found === undefined) throw new JobFileError(`must have '${at}'`);
  return found;
}

function listOf(value: unknown, at: string): string[] {
  if (isAbsent(value)) return [];
  const items = typeof value === 'string' ? value.split(';') : value;
  if (!Array.isArray(items) || !items.every((item) => typeof item === 'string'))
    throw new JobFileError(`must have strings as '${at}'`);
  return (items as string[]).map((item) => item.trim()).filter((item) => item !== '');
}

function wordsOf(value: unknown, at: string): string[] {
  return typeof value === 'string' ? splitWords(value.replaceAll(';', ' ')) : listOf(value, at);
}

function numberOf(value: unknown, at: string): number {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0)
    throw new JobFileError(`must have a number as '${at}'`);
  return number;
}

function booleanOf(value: unknown, at: string): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw new JobFileError(`must have true or false as '${at}'`);
  return text === 'true';
}

function levelOf(value: unknown, at: string): number {
  if (isAbsent(value)) return 3;
  const level = /^[0-3]$/.test(String(value).trim()) ? Number(value) : undefined;
  return level ?? (booleanOf(value, at) ? 3 : 0);
}

function targetsOf(value: unknown, at: string): ShaderJob['targets'] {
  const given = new Set(listOf(value, at).map((target) => target.toLowerCase()));
  for (const target of given)
    if (target !== 'spirv' && target !== 'msl')
      throw new JobFileError(`must have targets out of spirv and msl as '${at}', not '${target}'`);
  if (given.size === 0) return ['spirv'];
  return (['spirv', 'msl'] as const).filter((target) => given.has(target));
}

function accessOf(value: unknown, at: string): 'internal' | 'public' {
  const given = stringOf(value, at)?.toLowerCase() ?? 'internal';
  if (given !== 'internal' && given !== 'public')
    throw new JobFileError(`must have internal or public as '${at}'`);
  return given;
}

function identifierOf(value: unknown, at: string): string | undefined {
  const text = stringOf(value, at);
  if (text !== undefined && !/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(text))
    throw new JobFileError(`must have a C# name as '${at}', not '${text}'`);
  return text;
}

function namespaceOf(value: unknown, at: string): string | undefined {
  const text = stringOf(value, at);
  for (const part of text?.split('.') ?? []) if (identifierOf(part, at) === undefined) identifierOf('.', at);
  return text;
}

function variantsOf(value: unknown, at: string): Variant[] {
  const variants = typeof value === 'string' ? textVariants(value, at) : value;
  if (isAbsent(variants)) return [{ defines: [] }];
  if (!Array.isArray(variants)) throw new JobFileError(`must have a list as '${at}'`);
  const names = new Set<string>();
  const result = variants.map((variant: unknown, i): Variant => {
    const fields = objectOf(variant, `${at}[${i}]`, ['name', 'defines']);
    const name = identifierOf(required(fields, 'name', `${at}[${i}].name`), `${at}[${i}].name`)!;
    if (names.has(name)) throw new JobFileError(`names the variant '${name}' twice in '${at}'`);
    names.add(name);
    return { name, defines: listOf(fields['defines'], `${at}[${i}].defines`) };
  });
  return result.length === 0 ? [{ defines: [] }] : result;
}

/** `Name=DEFINE[=VALUE][,DEFINE...]` with `;` between variants. */
function textVariants(text: string, at: string): Json[] {
  return listOf(text, at).map((item) => {
    const [, name, defines] = /^([^=]*)=?(.*)$/s.exec(item)!;
    return { name: name!.trim(), defines: defines!.split(',') };
  });
}
