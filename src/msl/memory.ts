/** Values out of places and into them, converted between the form in buffers and that of values. */
import { InternalError } from '../source/diagnostic.ts';
import { elementOf, type MatrixType, scalarClass, type Type, vector } from '../types/type.ts';
import type { FunctionContext } from './context.ts';
import { vectorsOf } from './layout.ts';
import { type Path, type Place, pathText, step } from './places.ts';
import { componentNames, constructText, isMetalMatrix, partText, typeText, vectorText } from './types.ts';

function isBool(type: Type): boolean {
  const element = elementOf(type);
  return element !== undefined && scalarClass(element) === 'bool';
}

const constantPath = (index: number): Path => [String(index)];

/** The value that lies at a place. */
export function loadText(f: FunctionContext, place: Place): string {
  const { type, memory } = place;
  if (place.row && type.kind === 'vector') return rowText(f, place);
  const text = pathText(place.path);
  if (!memory) return text;
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return isBool(type) ? `(${text} != 0u)` : text;
    case 'vector':
      return vectorOf(f, place, text);
    case 'matrix':
      return matrixOf(f, place, type);
    default:
      return `${loader(f, place)}(${text})`;
  }
}

function vectorOf(f: FunctionContext, place: Place, text: string): string {
  const { type, memory } = place;
  if (type.kind !== 'vector') throw new InternalError('a vector is wanted');
  if (isBool(type))
    return type.count === 1
      ? `(${text} != 0u)`
      : `metal::bool${type.count}(metal::uint${type.count}(${text}))`;
  return memory!.type.packed ? `${typeText(f, type)}(${text})` : text;
}

function rowText(f: FunctionContext, place: Place): string {
  const { type } = place;
  if (type.kind !== 'vector') throw new InternalError('a row is a vector');
  const parts = Array.from({ length: type.count }, (_, c) => loadText(f, step(f, place, constantPath(c), c)));
  return constructText(f, type, parts);
}

function matrixOf(f: FunctionContext, place: Place, type: MatrixType): string {
  const { memory } = place;
  if (memory!.isMatrix) {
    const text = pathText(place.path);
    return memory!.order === 'row_major' ? text : `metal::transpose(${text})`;
  }
  const { elements } = memory!.type;
  if (elements && isMetalMatrix(type) && memory!.order !== 'row_major') {
    // As it lies there it is the transpose.
    const [count, length] = vectorsOf(type, memory!.order);
    const text = pathText(place.path);
    const name = vectorText(f, type.element, length);
    const columns = Array.from({ length: count }, (_, i) => {
      const column = `${text}[${i}]${elements.strided ? '.v' : ''}`;
      return memory!.type.elements!.name.includes('packed_') ? `${name}(${column})` : column;
    });
    const lying = typeText(f, { ...type, rows: type.columns, columns: type.rows });
    return `metal::transpose(${lying}(${columns.join(', ')}))`;
  }
  const rows = Array.from({ length: type.rows }, (_, r) => loadText(f, step(f, place, constantPath(r), r)));
  return constructText(f, type, rows);
}

/** The number of a place's form, for the names of helpers. */
function formOf(f: FunctionContext, place: Place): string {
  const { memory, space, type } = place;
  const element = memory!.type.elements;
  return `${space} ${element ? `${element.name}*` : `${memory!.type.name}&`} ${memory!.order ?? ''} ${typeText(f, type)}`;
}

function parameter(place: Place): string {
  const { memory, space } = place;
  const element = memory!.type.elements;
  return element ? `${space} ${element.name}* from` : `${space} ${memory!.type.name}& from`;
}

/** A function that brings an array or struct out of memory. */
function loader(f: FunctionContext, place: Place): string {
  const key = `load ${formOf(f, place)}`;
  const known = f.helpers.get(key);
  if (known !== undefined) return known;
  const { type } = place;
  const name = f.names.unique(`load_${typeText(f, type).replace(/\W+/g, '_')}`);
  f.helpers.set(key, name);
  const from: Place = { ...place, path: ['from'] };
  const result = typeText(f, type);
  const body: string[] = [`    ${result} value;`];
  if (type.kind === 'array') {
    const part = loadText(f, step(f, from, ['i'], undefined));
    body.push(`    for (uint i = 0u; i < ${type.size}u; i++) {`, `        value.e[i] = ${part};`, '    }');
  } else if (type.kind === 'struct') {
    type.members.forEach((_, i) => {
      body.push(`    ${partText(f, type, 'value', i)} = ${loadText(f, step(f, from, constantPath(i), i))};`);
    });
  }
  body.push('    return value;');
  f.helperTexts.push(`static ${result} ${name}(${parameter(place)}) {\n${body.join('\n')}\n}\n`);
  return name;
}

function storer(f: FunctionContext, place: Place): string {
  const key = `store ${formOf(f, place)}`;
  const known = f.helpers.get(key);
  if (known !== undefined) return known;
  const { type } = place;
  const value = typeText(f, type);
  const name = f.names.unique(`store_${value.replace(/\W+/g, '_')}`);
  f.helpers.set(key, name);
  const to: Place = { ...place, path: ['from'] };
  const body: string[] = [];
  if (type.kind === 'array') {
    body.push(`    for (uint i = 0u; i < ${type.size}u; i++) {`);
    for (const line of storeLines(f, step(f, to, ['i'], undefined), 'value.e[i]'))
      body.push(`        ${line}`);
    body.push('    }');
  } else if (type.kind === 'struct') {
    type.members.forEach((_, i) => {
      const lines = storeLines(f, step(f, to, constantPath(i), i), partText(f, type, 'value', i));
      for (const line of lines) body.push(`    ${line}`);
    });
  }
  f.helperTexts.push(`static void ${name}(${parameter(place)}, ${value} value) {\n${body.join('\n')}\n}\n`);
  return name;
}

/** True if storing needs the value's text more than once. */
export function storesInParts(place: Place): boolean {
  return (
    (place.row !== undefined && place.type.kind === 'vector') ||
    (place.memory !== undefined && place.type.kind === 'matrix')
  );
}

/** True if a value is stored by an assignment of its text. */
export function storesAsIs({ type, memory, row }: Place): boolean {
  if (row && type.kind === 'vector') return false;
  if (!memory) return true;
  return (type.kind === 'scalar' || type.kind === 'enum' || type.kind === 'vector') && !isBool(type);
}

/** Statements that put a value at a place. */
export function storeLines(f: FunctionContext, place: Place, value: string): string[] {
  const { type } = place;
  if (storesInParts(place)) return storePartLines(f, place, value);
  const text = pathText(place.path);
  if (storesAsIs(place)) return [`${text} = ${value};`];
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return [`${text} = uint(${value});`];
    case 'vector':
      return [`${text} = ${type.count === 1 ? `uint(${value})` : `metal::uint${type.count}(${value})`};`];
    default:
      return [`${storer(f, place)}(${text}, ${value});`];
  }
}

function storePartLines(f: FunctionContext, place: Place, value: string): string[] {
  const { type } = place;
  if (type.kind === 'vector') {
    return Array.from({ length: type.count }, (_, c) =>
      storeLines(
        f,
        step(f, place, constantPath(c), c),
        type.count === 1 ? value : `${value}.${componentNames[c]}`,
      ),
    ).flat();
  }
  if (type.kind !== 'matrix') throw new InternalError('only vectors and matrices are stored in parts');
  const { elements } = place.memory!.type;
  if (elements && place.memory!.order !== 'row_major' && !isBool(type)) {
    const column = (c: number) =>
      constructText(
        f,
        vector(type.element, type.rows),
        Array.from({ length: type.rows }, (_, r) =>
          type.columns === 1
            ? partText(f, type, value, r)
            : `${partText(f, type, value, r)}.${componentNames[c]}`,
        ),
      );
    return Array.from(
      { length: type.columns },
      (_, c) => `${pathText(place.path)}[${c}]${elements.strided ? '.v' : ''} = ${column(c)};`,
    );
  }
  return Array.from({ length: type.rows }, (_, r) =>
    storeLines(f, step(f, place, constantPath(r), r), partText(f, type, value, r)),
  ).flat();
}
