/**
 * HLSL types in memory as C# structs with the same offsets.
 *
 * | HLSL | C# |
 * | --- | --- |
 * | scalars | the type of the same width; `bool` is `HlslTypes.Bool` (4 bytes), 16-bit floats are `Half` |
 * | `float2`, `float3`, `float4` | `System.Numerics.Vector2` to `Vector4` where the framework has them: three floats in a row and nothing else |
 * | other vectors | `HlslTypes.Int3` ... with `X`, `Y`, `Z`, `W` |
 * | matrices | `HlslTypes.Float4x4ColumnMajor` ...: `M12` is row 1, column 2, wherever it lies. Not `Matrix4x4`, which does not say its order |
 * | arrays | a struct with an indexer: `[InlineArray]` where there is one, else a field for each element. Elements that lie further apart than they are large are wrapped |
 * | structs | a struct with explicit layout |
 *
 * What has no size C# could hold (arrays without size, more than 1 MiB) is left out and told in a comment.
 */
import type { ReflectedMember, ReflectedType } from '../reflect/reflect.ts';
import type { Features } from './framework.ts';
import { identifier, inherited, Scope, written } from './names.ts';

/** A type as it is written, its name in names of arrays of it, and its bytes. */
interface CsharpType {
  text: string;
  name: string;
  size: number;
  /** Belongs to one shader's class: it is or holds one of its structs. */
  local: boolean;
}

const interop = 'global::System.Runtime.InteropServices';
const numerics = 'global::System.Numerics';
const sizeLimit = 1 << 20;
const fieldLimit = 4096;

/** Types of HLSL that all shaders share; members of one static class. */
export class SharedTypes {
  /** Text by name. */
  readonly definitions = new Map<string, string[]>();
  readonly path: string;
  readonly features: Features;
  constructor(path: string, features: Features) {
    this.path = path;
    this.features = features;
  }

  /** Refers to a shared type, which is defined when it is first needed. */
  use(name: string, size: number, define: () => string[]): CsharpType {
    if (!this.definitions.has(name)) this.definitions.set(name, define());
    return { text: `${this.path}.${name}`, name, size, local: false };
  }
}

/** Structs of one compiled shader, by their C# name. */
export class ShaderTypes {
  readonly definitions = new Map<string, string[]>();
  /** What could not be as in the HLSL. */
  readonly notes: string[] = [];
  readonly #shared: SharedTypes;
  readonly #scope: Scope;
  readonly #byContent = new Map<string, string>();

  /** `reserved`: names that the class around uses itself. */
  constructor(shared: SharedTypes, reserved: Iterable<string>) {
    this.#shared = shared;
    this.#scope = new Scope(reserved);
  }

  /** The struct for the contents of a buffer; undefined if it has no member that C# could hold. `what` is for its comment. */
  struct(type: ReflectedType, name: string, what: string): string | undefined {
    return this.#struct(type, name, what)?.text;
  }

  /** A struct of `stride` bytes around an element that is no struct itself, or lies tighter than in the buffer. */
  element(type: ReflectedType, stride: number, name: string, what: string): string | undefined {
    const whole: ReflectedType = {
      name,
      kind: 'struct',
      size: stride,
      members: [{ name: 'Value', type, offset: 0 }],
    };
    return this.struct(whole, name, what);
  }

  #struct(type: ReflectedType, wanted: string, what: string): CsharpType | undefined {
    const size = type.size ?? 0;
    if (size > sizeLimit) {
      this.notes.push(`'${type.name}' has ${size} bytes, which is too much for a C# struct`);
      return undefined;
    }
    const name = identifier(wanted);
    const fields = (type.members ?? []).map((member) => ({ member, type: this.#typeOf(member.type) }));
    if (!fields.some((field) => field.type)) {
      if (size > 0) this.notes.push(`'${type.name}' has no member that a C# struct could have`);
      return undefined;
    }
    const content = JSON.stringify([
      name,
      size,
      fields.map(({ member, type }) => [member.name, member.offset, type?.text]),
    ]);
    let unique = this.#byContent.get(content);
    if (unique === undefined) {
      unique = this.#scope.unique(name);
      if (unique !== name)
        this.notes.push(`struct '${type.name}' is '${unique}' in C#, for '${name}' is something else`);
      this.#byContent.set(content, unique);
      const members = new Scope([unique, ...inherited]);
      const lines = fields.flatMap(({ member, type }) => fieldLines(member, type, members));
      this.definitions.set(unique, [
        `/// <summary>${xml(what)}, ${size} bytes.</summary>`,
        explicit(size),
        `public struct ${written(unique)}`,
        '{',
        ...lines.map((line) => `    ${line}`),
        '}',
      ]);
    }
    return { text: written(unique), name: unique, size, local: true };
  }

  /** Undefined for what C# cannot hold. */
  #typeOf(type: ReflectedType): CsharpType | undefined {
    if (!type.size || type.size > sizeLimit) return undefined;
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar!, type.size);
      case 'vector':
        return this.#vector(type.scalar!, type.columns!, type.size / type.columns!);
      case 'matrix':
        return this.#matrix(type);
      case 'array':
        return this.#array(type);
      case 'struct':
        return this.#struct(type, type.name, `struct ${type.name}`);
      case 'resource':
        return undefined;
    }
  }

  #scalar(name: string, size: number): CsharpType {
    if (name === 'bool') return this.#shared.use('Bool', 4, boolLines);
    if (/float|half/.test(name) && size === 2) {
      if (this.#shared.features.half)
        return { text: 'global::System.Half', name: 'Half', size, local: false };
      return this.#shared.use('Half', 2, halfLines);
    }
    const text = /float|half/.test(name) ? 'float' : name === 'double' ? 'double' : integers(name)[size]!;
    return { text, name: titles[text]!, size, local: false };
  }

  #vector(scalar: string, count: number, scalarSize: number): CsharpType {
    const component = this.#scalar(scalar, scalarSize);
    if (count === 1) return component;
    const name = `${component.name}${count}`;
    const size = count * scalarSize;
    if (component.text === 'float' && this.#shared.features.spans)
      return { text: `${numerics}.Vector${count}`, name, size, local: false };
    return this.#shared.use(name, size, () => vectorLines(name, component, count));
  }

  #matrix(type: ReflectedType): CsharpType {
    const { scalar, rows, columns, stride, matrixOrder, size, scalarSize } = type as Required<ReflectedType>;
    // A matrix of one row or column is a vector in memory.
    if (stride === 0) return this.#vector(scalar, rows * columns, scalarSize);
    const isRowMajor = matrixOrder === 'row_major';
    const component = this.#scalar(scalar, scalarSize);
    const vectors = isRowMajor ? rows : columns;
    const name =
      `${component.name}${rows}x${columns}${isRowMajor ? 'RowMajor' : 'ColumnMajor'}` +
      `${stride === 16 ? '' : `Stride${stride}`}${size === stride * vectors ? '' : 'Packed'}`;
    const offset = (row: number, column: number): number =>
      isRowMajor ? row * stride + column * scalarSize : column * stride + row * scalarSize;
    return this.#shared.use(name, size, () =>
      matrixLines(name, component, type, offset, this.#shared.features),
    );
  }

  #array(type: ReflectedType): CsharpType | undefined {
    const { count, stride, element, size } = type as Required<ReflectedType>;
    const own = this.#typeOf(element);
    if (!own || count === 0) return undefined;
    const fills = size === stride * count;
    const isInline = this.#shared.features.inlineArrays && fills;
    if (!isInline && count > fieldLimit) return undefined;
    const name = `${own.name}Array${count}${stride === own.size ? '' : `Stride${stride}`}${fills ? '' : 'Packed'}`;
    const item = isInline && stride !== own.size ? this.#wrapped(own, stride) : own;
    return this.#define(own.local, name, size, (named) =>
      isInline ? inlineArrayLines(named, item.text, count) : arrayLines(named, own, count, stride, size),
    );
  }

  /** An element with the space behind it. */
  #wrapped(own: CsharpType, stride: number): CsharpType {
    return this.#define(own.local, `${own.name}Stride${stride}`, stride, (name) => [
      explicit(stride),
      `public struct ${name}`,
      '{',
      `    ${at(0)} public ${own.text} Value;`,
      `    public static implicit operator ${own.text}(${name} element) { return element.Value; }`,
      `    public static implicit operator ${name}(${own.text} value) { return new ${name} { Value = value }; }`,
      '}',
    ]);
  }

  /** A type that all shaders share, unless it has to do with a struct of this one. */
  #define(local: boolean, name: string, size: number, lines: (name: string) => string[]): CsharpType {
    if (!local) return this.#shared.use(name, size, () => lines(name));
    const content = `${name} ${lines(name).join()}`;
    let unique = this.#byContent.get(content);
    if (unique === undefined) {
      unique = this.#scope.unique(name);
      this.#byContent.set(content, unique);
      this.definitions.set(unique, lines(unique));
    }
    return { text: unique, name: unique, size, local };
  }
}

// ---- text

const titles: Readonly<Record<string, string>> = {
  float: 'Float',
  double: 'Double',
  short: 'Short',
  int: 'Int',
  long: 'Long',
  ushort: 'UShort',
  uint: 'UInt',
  ulong: 'ULong',
};

/** C# integers by their bytes. */
function integers(hlsl: string): Readonly<Record<number, string>> {
  return /uint/.test(hlsl) ? { 2: 'ushort', 4: 'uint', 8: 'ulong' } : { 2: 'short', 4: 'int', 8: 'long' };
}

function explicit(size: number): string {
  return `[${interop}.StructLayout(${interop}.LayoutKind.Explicit, Size = ${size})]`;
}

function at(offset: number): string {
  return `[${interop}.FieldOffset(${offset})]`;
}

/** Text within a comment for documentation. */
export function xml(text: string): string {
  return text.replace(/[&<>\r\n\u0085\u2028\u2029]/g, (c) =>
    c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : ' ',
  );
}

function fieldLines(member: ReflectedMember, type: CsharpType | undefined, names: Scope): string[] {
  const declared = declaration(member);
  if (!type) {
    if (!member.type.size && member.type.kind !== 'array') return [];
    return [`// ${xml(declared)} at ${member.offset} is left out: C# has no field for it.`];
  }
  return [
    `/// <summary><c>${xml(declared)}</c></summary>`,
    `${at(member.offset ?? 0)} public ${type.text} ${written(names.unique(identifier(member.name)))};`,
  ];
}

/** `float3 a[4]`, as the HLSL has it. */
function declaration({ name, type }: ReflectedMember): string {
  let sizes = '';
  let element = type;
  for (; element.kind === 'array' && element.element; element = element.element)
    sizes += `[${element.count || ''}]`;
  return `${element.name} ${name}${sizes}`;
}

const boolLines = (): string[] => [
  '/// <summary>bool of HLSL, which takes 4 bytes.</summary>',
  `[${interop}.StructLayout(${interop}.LayoutKind.Sequential, Size = 4)]`,
  'public struct Bool',
  '{',
  '    private int bits;',
  '    public Bool(bool value) { bits = value ? 1 : 0; }',
  '    public static implicit operator bool(Bool value) { return value.bits != 0; }',
  '    public static implicit operator Bool(bool value) { return new Bool(value); }',
  '}',
];

const halfLines = (): string[] => [
  '/// <summary>The bits of a float of 16 bits.</summary>',
  `[${interop}.StructLayout(${interop}.LayoutKind.Sequential, Size = 2)]`,
  'public struct Half',
  '{',
  '    public ushort Bits;',
  '}',
];

function vectorLines(name: string, component: CsharpType, count: number): string[] {
  const fields = ['X', 'Y', 'Z', 'W'].slice(0, count);
  const parameters = fields.map((field) => `${component.text} ${field.toLowerCase()}`).join(', ');
  const sets = fields.map((field) => `${field} = ${field.toLowerCase()};`).join(' ');
  return [
    explicit(count * component.size),
    `public struct ${name}`,
    '{',
    ...fields.map((field, i) => `    ${at(i * component.size)} public ${component.text} ${field};`),
    `    public ${name}(${parameters}) { ${sets} }`,
    '}',
  ];
}

function matrixLines(
  name: string,
  component: CsharpType,
  type: ReflectedType,
  offset: (row: number, column: number) => number,
  features: Features,
): string[] {
  const { rows, columns, size } = type as Required<ReflectedType>;
  const cells = Array.from({ length: rows * columns }, (_, i) => ({
    name: `M${Math.floor(i / columns) + 1}${(i % columns) + 1}`,
    offset: offset(Math.floor(i / columns), i % columns),
  }));
  const all = (from: string): string => cells.map((cell) => `${cell.name} = ${from}.${cell.name}`).join(', ');
  const matrix = `${numerics}.Matrix4x4`;
  const converts = features.spans && component.text === 'float' && rows === 4 && columns === 4;
  return [
    '/// <summary>M12 is row 1, column 2.</summary>',
    explicit(size),
    `public struct ${name}`,
    '{',
    ...cells.map((cell) => `    ${at(cell.offset)} public ${component.text} ${cell.name};`),
    ...(converts
      ? [
          `    public static implicit operator ${name}(${matrix} m) { return new ${name} { ${all('m')} }; }`,
          `    public static implicit operator ${matrix}(${name} m) { return new ${matrix} { ${all('m')} }; }`,
        ]
      : []),
    '}',
  ];
}

function inlineArrayLines(name: string, element: string, count: number): string[] {
  return [
    `[global::System.Runtime.CompilerServices.InlineArray(${count})]`,
    `public struct ${name}`,
    '{',
    `    private ${element} element;`,
    '}',
  ];
}

function arrayLines(name: string, own: CsharpType, count: number, stride: number, size: number): string[] {
  const each = (line: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => line(i));
  const otherwise = '            default: throw new global::System.IndexOutOfRangeException();';
  return [
    explicit(size),
    `public struct ${name}`,
    '{',
    ...each((i) => `    ${at(i * stride)} public ${own.text} Item${i};`),
    `    public ${own.text} this[int index]`,
    '    {',
    '        get { switch (index) {',
    ...each((i) => `            case ${i}: return Item${i};`),
    otherwise,
    '        } }',
    '        set { switch (index) {',
    ...each((i) => `            case ${i}: Item${i} = value; break;`),
    otherwise,
    '        } }',
    '    }',
    '}',
  ];
}
