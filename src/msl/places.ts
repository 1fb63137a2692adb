/**
 * What pointers of the IR name: variables, parts of buffers, texels. A place is text that is written where the place is read or
 * written; indices in it stand apart until then, so that one that could change in between can still be given a name.
 */
import { partOf } from '../ir/builder.ts';
import type { Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { typeLayout } from '../types/layout.ts';
import type { LayoutRule, MatrixOrder, MatrixType, PointerType, TextureType, Type } from '../types/type.ts';
import type { FunctionContext, IndexText } from './context.ts';
import {
  bufferElement,
  commonAlign,
  type MemoryType,
  memoryElement,
  memoryStruct,
  memoryType,
} from './layout.ts';
import { componentNames, partText } from './types.ts';

export type Space = 'thread' | 'threadgroup' | 'device' | 'const device' | 'constant';
export type Path = readonly (string | IndexText)[];

export interface Place {
  /** What lies there, as a value. */
  type: Type;
  space: Space;
  path: Path;
  /** Absent where values lie as they are. */
  memory?: {
    type: MemoryType;
    rule: LayoutRule;
    order: MatrixOrder | undefined;
    align: number;
    /** It is one of Metal's matrices. */
    isMatrix?: boolean;
  };
  /** A row of a matrix that lies in columns, whose text is `path`. */
  row?: { index: Path; rows: number; strided: boolean };
  /** A component: the vector, and which. */
  component?: { of: Path; index: Path } | undefined;
  texel?: { texture: TextureType; resource: Value; coordinate: IndexText; level?: IndexText } | undefined;
  /** Within arrays of resources: which one, counted row by row as if the array had one dimension. */
  chosen?: Path | undefined;
  /** With `--robust`: conditions under which it is in range. */
  guards?: readonly string[] | undefined;
}

export function pathText(path: Path): string {
  let text = '';
  for (const part of path) text += typeof part === 'string' ? part : part.text;
  return text;
}

/** Where the contents of a buffer lie. */
export function spaceOf(type: PointerType, writable: boolean): Space {
  if (type.space === 'uniform') return 'constant';
  return writable ? 'device' : 'const device';
}

/** The place of an element or member. */
export function step(f: FunctionContext, from: Place, index: Path, constant: number | undefined): Place {
  const { type, memory } = from;
  if (from.row) return componentOfRow(from, index);
  if (!memory) {
    // Without a spread, which is slow where shapes vary; it has no row and does not lie in memory.
    return {
      type: partOf(type, constant ?? 0),
      space: from.space,
      path: valuePath(f, from, index, constant),
      texel: from.texel,
      chosen: from.chosen,
      guards: from.guards,
      component: type.kind === 'vector' && type.count > 1 ? { of: from.path, index } : undefined,
    };
  }
  switch (type.kind) {
    case 'struct':
      return memberPlace(f, from, constant!);
    case 'array': {
      const element = memoryElement(f, type, memory.rule, memory.order, memory.align);
      const { strided } = memory.type.elements!;
      const path = [...from.path, '[', ...index, ']', strided ? '.v' : '', element.elements ? '.e' : ''];
      return inMemory(from, type.element, path, element, memory.order, alignOfElement(f, from));
    }
    case 'matrix':
      return rowPlace(f, from, type, index);
    case 'vector': {
      if (type.count === 1) return { ...from, type: type.element };
      const path = memoryComponent(memory.type.packed, from.path, index, constant);
      return {
        type: type.element,
        space: from.space,
        path,
        memory: scalarOf(f, from, type.element),
        component: { of: from.path, index },
      };
    }
    default:
      throw new InternalError(`access into a ${type.kind}`);
  }
}

function alignOfElement(f: FunctionContext, from: Place): number {
  const { rule, order, align } = from.memory!;
  return commonAlign(align, typeLayout(from.type, rule, order, f.module.enable16BitTypes).stride || 16);
}

function scalarOf(f: FunctionContext, from: Place, type: Type): NonNullable<Place['memory']> {
  const memory = from.memory!;
  return { ...memory, type: memoryType(f, type, memory.rule, undefined, 1), align: 1 };
}

function inMemory(
  from: Place,
  type: Type,
  path: Path,
  memory: MemoryType,
  order: MatrixOrder | undefined,
  align: number,
): Place {
  return { type, space: from.space, path, memory: { type: memory, rule: from.memory!.rule, order, align } };
}

function valuePath(f: FunctionContext, from: Place, index: Path, constant: number | undefined): Path {
  if (constant !== undefined) {
    const marked = partText(f, from.type, '', constant);
    return [...from.path, marked];
  }
  const [before, after] = partText(f, from.type, '', '\u0000').split('\u0000') as [string, string?];
  return after === undefined ? [...from.path, before] : [...from.path, before, ...index, after];
}

function memoryComponent(packed: boolean, of: Path, index: Path, constant: number | undefined): Path {
  if (constant !== undefined && !packed) return [...of, `.${componentNames[constant]}`];
  return [...of, '[', ...index, ']'];
}

function memberPlace(f: FunctionContext, from: Place, index: number): Place {
  const { type, memory } = from;
  if (type.kind !== 'struct' || !memory) throw new InternalError('a member without a struct');
  const struct = memoryStruct(f, type, memory.rule);
  const member = struct.members[index]!;
  const { type: memberType, matrixOrder } = type.members[index]!;
  const align = commonAlign(memory.align, member.offset || 16);
  const elements = member.type.elements;
  const path = !struct.bytes
    ? [...from.path, `.${member.name}`]
    : elements
      ? [`((${from.space} ${elements.name}*)(`, ...from.path, `.bytes + ${member.offset}))`]
      : [`(*(${from.space} ${member.type.name}*)(`, ...from.path, `.bytes + ${member.offset}))`];
  const made = inMemory(from, memberType, path, member.type, matrixOrder, align);
  if (!struct.bytes && member.type.matrix !== undefined) made.memory!.isMatrix = true;
  return made;
}

function rowPlace(f: FunctionContext, from: Place, type: MatrixType, index: Path): Place {
  const memory = from.memory!;
  const row = partOf(type, 0);
  const { elements } = memory.type;
  if (!elements) {
    // One vector: of one row, or of one column, whose components are the rows.
    const element = memoryType(f, row, memory.rule, undefined, 1);
    if (type.rows === 1) return { ...from, type: row, memory: { ...memory, order: undefined } };
    const path = [...from.path, '[', ...index, ']'];
    return { ...inMemory(from, row, path, element, undefined, 1), component: { of: from.path, index } };
  }
  if (memory.order === 'row_major') {
    const path = [...from.path, '[', ...index, ']', elements.strided ? '.v' : ''];
    const vector = memoryElement(f, type, memory.rule, memory.order, memory.align);
    return inMemory(from, row, path, vector, undefined, alignOfElement(f, from));
  }
  return { ...from, type: row, row: { index, rows: type.rows, strided: elements.strided } };
}

function componentOfRow(from: Place, column: Path): Place {
  const { row, type, memory } = from;
  if (!row || !memory || type.kind !== 'vector') throw new InternalError('a component of no row');
  const vector = [...from.path, '[', ...column, ']', row.strided ? '.v' : ''];
  const path = row.rows === 1 ? vector : [...vector, '[', ...row.index, ']'];
  const made: Place = {
    type: type.element,
    space: from.space,
    path,
    memory: { ...memory, align: 1, order: undefined },
  };
  if (row.rows > 1) made.component = { of: vector, index: row.index };
  return made;
}

/** The contents of a buffer or one element of it. */
export function bufferPlace(
  f: FunctionContext,
  type: PointerType,
  space: Space,
  resource: Path,
  index: Path | undefined,
): Place {
  const rule = type.layout!;
  const order = type.matrixOrder;
  const { memory, strided } = bufferElement(f, type.pointee, rule, order);
  const align = commonAlign(16, typeLayout(type.pointee, rule, order, f.module.enable16BitTypes).align);
  const path = index ? [...resource, '[', ...index, ']', strided ? '.v' : ''] : [...resource];
  if (memory.elements) path.push('.e');
  return { type: type.pointee, space, path, memory: { type: memory, rule, order, align } };
}

export type { Instruction };
