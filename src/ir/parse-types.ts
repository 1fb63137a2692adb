/** Types and the tables of structs and enums in the IR's text form. */
import {
  array,
  buffer,
  type EnumType,
  elementOf,
  type LayoutRule,
  type MatrixOrder,
  pointer,
  type StructType,
  type Type,
  uintType,
  type VkAttribute,
} from '../types/type.ts';
import { type ReadState, readAtPlace, readPlace } from './parse-state.ts';
import {
  addressSpaces,
  bufferKindFromWord,
  layoutRules,
  matrixOrders,
  textureFromName,
  typeFromWord,
} from './text-types.ts';

export function readType(s: ReadState): Type {
  let type = readPlainType(s);
  const sizes: number[] = [];
  while (s.tokens.is('[')) {
    s.tokens.take();
    sizes.push(s.tokens.is(']') ? 0 : s.tokens.number());
    s.tokens.expect(']');
  }
  for (const size of sizes.reverse()) type = array(type, size);
  return type;
}

function readPlainType(s: ReadState): Type {
  const token = s.tokens.token;
  const name = s.tokens.name();
  if (token.kind === 'word' && name === 'ptr' && s.tokens.is('<')) return readPointerType(s);
  const nominal = s.types.get(name);
  if (nominal) return nominal;
  const kind = bufferKindFromWord(name);
  if (kind) {
    if (!s.tokens.accept('<')) return buffer(kind, uintType);
    const element = readType(s);
    const order = s.tokens.accept(',') ? s.tokens.word('matrix order', matrixOrders) : undefined;
    s.tokens.expect('>');
    return buffer(kind, element, order);
  }
  const simple = typeFromWord(name);
  if (simple) return simple;
  if (s.tokens.accept('<')) {
    const element = readType(s);
    s.tokens.expect('>');
    const made = textureFromName(name, element);
    if (made) return made;
  }
  return s.tokens.fail(`unknown type '${name}'`, token);
}

function readPointerType(s: ReadState): Type {
  s.tokens.expect('<');
  const space = s.tokens.word('address space', addressSpaces);
  s.tokens.expect(',');
  const pointee = readType(s);
  let layout: LayoutRule | undefined;
  let order: MatrixOrder | undefined;
  while (s.tokens.accept(',')) {
    const word = s.tokens.word('layout', [...layoutRules, ...matrixOrders]);
    if (word === 'row_major' || word === 'column_major') order = word;
    else layout = word;
  }
  s.tokens.expect('>');
  return pointer(space, pointee, layout, order);
}

export function readStruct(s: ReadState): void {
  const label = s.tokens.name();
  const name = s.tokens.accept('named') ? s.tokens.name() : label;
  const keyword =
    s.tokens.is('class') || s.tokens.is('cbuffer') || s.tokens.is('tbuffer')
      ? s.tokens.take().text
      : 'struct';
  const location = readAtPlace(s);
  const type: StructType = {
    kind: 'struct',
    name,
    keyword: keyword as StructType['keyword'],
    location,
    members: [],
  };
  s.types.set(label, type);
  s.tokens.expect('{');
  s.tokens.list('}', () => type.members.push(readMember(s)));
}

function readMember(s: ReadState): StructType['members'][number] {
  const name = s.tokens.name();
  s.tokens.expect(':');
  const member: StructType['members'][number] = {
    name,
    type: readType(s),
    location: 0,
    modifiers: [],
    attributes: [],
  };
  for (;;) {
    if (s.tokens.is('row_major') || s.tokens.is('column_major'))
      member.matrixOrder = s.tokens.word('order', matrixOrders);
    else if (s.tokens.accept('offset')) member.offset = s.tokens.number();
    else if (s.tokens.accept('semantic')) member.semantic = s.tokens.name();
    else if (s.tokens.accept('modifiers')) member.modifiers = s.tokens.strings();
    else if (s.tokens.accept('base')) member.base = true;
    else if (s.tokens.accept('attributes')) member.attributes = readAttributes(s);
    else if (s.tokens.accept('at')) member.location = readPlace(s);
    else return member;
  }
}

export function readAttributes(s: ReadState): VkAttribute[] {
  const attributes: VkAttribute[] = [];
  s.tokens.expect('[');
  s.tokens.list(']', () => {
    const name = s.tokens.name();
    const args: (number | string)[] = [];
    s.tokens.expect('(');
    s.tokens.list(')', () =>
      args.push(s.tokens.token.kind === 'string' ? s.tokens.take().text : s.tokens.number()),
    );
    attributes.push({ name, args, at: readAtPlace(s) });
  });
  return attributes;
}

export function readEnum(s: ReadState): void {
  const label = s.tokens.name();
  const name = s.tokens.accept('named') ? s.tokens.name() : label;
  const underlying = elementOf(readType(s));
  if (!underlying) s.tokens.fail('an enum needs an integer type');
  const scoped = s.tokens.accept('scoped');
  const type: EnumType = {
    kind: 'enum',
    name,
    underlying,
    scoped,
    location: readAtPlace(s),
    enumerators: [],
  };
  s.types.set(label, type);
  s.tokens.expect('{');
  s.tokens.list('}', () => {
    const item = s.tokens.name();
    s.tokens.expect('=');
    type.enumerators.push({ name: item, value: s.tokens.number() });
  });
}
