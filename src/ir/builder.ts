/**
 * The only way to make an instruction. A builder stands at a place in a block and at a position: `at(position)` and
 * `into(block)` (or `before(block, index)`) come first, and every instruction made takes that position.
 *
 * The methods check nothing but what they need to compute the result's type; validate.ts checks modules.
 */
import { InternalError } from '../source/diagnostic.ts';
import type { PositionId } from '../source/position.ts';
import {
  boolType,
  elementOf,
  floatType,
  intType,
  isNumeric,
  type LayoutRule,
  type PointerType,
  pointer,
  type ScalarType,
  type Type,
  uintType,
  type VectorType,
  rowType,
  vector,
  withElement,
} from '../types/type.ts';
import type {
  Block,
  Constant,
  DebugVariable,
  Instruction,
  Function as IrFunction,
  Module,
  Result,
  ScalarValue,
  Undef,
  Value,
} from './ir.ts';
import { newInstruction, newResult, none } from './instruction.ts';
import type { Opcode } from './opcodes.ts';

type BinaryOpcode =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'rem'
  | 'and'
  | 'or'
  | 'xor'
  | 'shl'
  | 'shr'
  | 'logical_and'
  | 'logical_or';
type ComparisonOpcode = 'equal' | 'not_equal' | 'less' | 'less_equal' | 'greater' | 'greater_equal';

/** What an instruction may have besides operands and results. */
type Extras = Partial<Omit<Instruction, 'op' | 'operands' | 'results' | 'position' | 'blocks'>>;

/** What reassociation and contraction could change. */
const canBePrecise: ReadonlySet<Opcode> = new Set<Opcode>([
  'add',
  'sub',
  'mul',
  'div',
  'rem',
  'neg',
  'scale',
  'intrinsic',
]);

export class Builder {
  readonly module: Module;
  /** Marks the arithmetic that is made as precise. */
  precise = false;
  #position: PositionId = 0;
  #block: Block | undefined;
  /** Where the next instruction goes; -1 is the end. */
  #index = -1;
  /** Scalars by type and value; -0 apart, which maps take for 0. */
  readonly #constants = new Map<Type, Map<ScalarValue | '-0', Constant>>();

  constructor(module: Module) {
    this.module = module;
  }

  // ---- where

  at(position: PositionId): this {
    if (position === 0) throw new InternalError('an instruction needs a position');
    this.#position = position;
    return this;
  }
  get position(): PositionId {
    return this.#position;
  }
  /** The next instructions go to the end of `block`. */
  into(block: Block): this {
    this.#block = block;
    this.#index = -1;
    return this;
  }
  /** The next instructions go in front of the instruction that is now at `index`. `insertionIndex` then tells where it is. */
  before(block: Block, index: number): this {
    this.#block = block;
    this.#index = index;
    return this;
  }
  get block(): Block {
    if (!this.#block) throw new InternalError('the builder has no block');
    return this.#block;
  }
  get insertionIndex(): number {
    return this.#index < 0 ? this.block.instructions.length : this.#index;
  }
  newBlock(parameters: Block['parameters'] = []): Block {
    return { parameters, instructions: [] };
  }

  /** Where the builder stands, to come back with `restore` after work elsewhere. */
  save(): { position: PositionId; block: Block | undefined; index: number; precise: boolean } {
    return { position: this.#position, block: this.#block, index: this.#index, precise: this.precise };
  }
  restore({ position, block, index, precise }: ReturnType<Builder['save']>): void {
    this.#position = position;
    this.#block = block;
    this.#index = index;
    this.precise = precise;
  }

  /** Any instruction; the methods below are the usual way. Without blocks it never has any: that list is shared. */
  instruction(
    op: Opcode,
    operands: Value[],
    resultTypes: readonly Type[],
    blocks: Block[] = none,
    extras?: Extras,
  ): Instruction {
    if (this.#position === 0) throw new InternalError(`${op} needs a position`);
    const made = newInstruction(op, operands, this.#position, blocks);
    if (extras) Object.assign(made, extras);
    if (this.precise && canBePrecise.has(op)) made.precise = true;
    // An array that grows by a push has room for 17, which nearly every instruction would have.
    if (resultTypes.length > 0) made.results = resultTypes.map((type) => newResult(type, made));
    const block = this.block;
    if (this.#index < 0) block.instructions.push(made);
    else block.instructions.splice(this.#index++, 0, made);
    return made;
  }
  #one(op: Opcode, operands: Value[], type: Type, extras?: Extras): Result {
    return this.instruction(op, operands, [type], none, extras).results[0]!;
  }

  // ---- constants

  /** Scalars as ScalarValue; other types from their parts. */
  constant(type: Type, value: Constant['value']): Constant {
    if (typeof value === 'object') return { kind: 'constant', type, value };
    let ofType = this.#constants.get(type);
    if (!ofType) {
      ofType = new Map();
      this.#constants.set(type, ofType);
    }
    const key = Object.is(value, -0) ? '-0' : value;
    let constant = ofType.get(key);
    if (!constant) {
      constant = { kind: 'constant', type, value };
      ofType.set(key, constant);
    }
    return constant;
  }
  bool(value: boolean): Constant {
    return this.constant(boolType, value);
  }
  int(value: number): Constant {
    return this.constant(intType, value | 0);
  }
  uint(value: number): Constant {
    return this.constant(uintType, value >>> 0);
  }
  float(value: number): Constant {
    return this.constant(floatType, Math.fround(value));
  }
  /** The same scalar in every component of a scalar, vector or matrix type. */
  fill(type: Type, value: ScalarValue): Constant {
    switch (type.kind) {
      case 'vector':
        return this.constant(
          type,
          Array.from({ length: type.count }, () => this.constant(type.element, value)),
        );
      case 'matrix':
        return this.constant(
          type,
          Array.from({ length: type.rows }, () => this.fill(rowType(type), value)),
        );
      default:
        return this.constant(type, value);
    }
  }
  undef(type: Type): Undef {
    return { kind: 'undef', type };
  }

  // ---- arithmetic

  binary(op: BinaryOpcode, left: Value, right: Value): Result {
    return this.#one(op, [left, right], left.type);
  }
  unary(op: 'neg' | 'not' | 'logical_not', operand: Value): Result {
    return this.#one(op, [operand], operand.type);
  }
  compare(op: ComparisonOpcode, left: Value, right: Value): Result {
    const type = left.type;
    return this.#one(op, [left, right], isNumeric(type) ? withElement(type, boolType) : boolType);
  }
  select(condition: Value, whenTrue: Value, whenFalse: Value): Result {
    return this.#one('select', [condition, whenTrue, whenFalse], whenTrue.type);
  }
  /** Gives the operand itself if it has that element type already. */
  convert(operand: Value, element: ScalarType): Value {
    if (elementOf(operand.type) === element && operand.type.kind !== 'enum') return operand;
    const type = isNumeric(operand.type) ? withElement(operand.type, element) : element;
    return this.#one('convert', [operand], type);
  }
  bitcast(operand: Value, type: Type): Value {
    return operand.type === type ? operand : this.#one('bitcast', [operand], type);
  }

  // ---- parts of values

  construct(type: Type, parts: Value[]): Result {
    return this.#one('construct', parts, type);
  }
  splat(type: Type, operand: Value): Value {
    return operand.type === type ? operand : this.#one('splat', [operand], type);
  }
  extract(aggregate: Value, ...indices: number[]): Result {
    return this.#one('extract', [aggregate], partType(aggregate.type, indices), { indices });
  }
  insert(aggregate: Value, part: Value, ...indices: number[]): Result {
    return this.#one('insert', [aggregate, part], aggregate.type, { indices });
  }
  extractDynamic(of: Value, index: Value): Result {
    return this.#one('extract_dynamic', [of, index], partType(of.type, [0]));
  }
  insertDynamic(of: Value, component: Value, index: Value): Result {
    return this.#one('insert_dynamic', [of, component, index], of.type);
  }
  swizzle(of: Value, components: readonly number[]): Result {
    const element = elementOf(of.type)!;
    const type = components.length === 1 ? element : vector(element, components.length);
    return this.#one('swizzle', [of], type, { indices: components });
  }

  shuffle(type: VectorType, first: Value, second: Value, components: readonly number[]): Result {
    return this.#one('shuffle', [first, second], type, { indices: components });
  }
  compose(type: VectorType, parts: Value[]): Result {
    return this.#one('compose', parts, type);
  }
  scale(of: Value, by: Value): Result {
    return this.#one('scale', [of, by], of.type);
  }

  // ---- memory

  var(type: Type, name: string): Result {
    const result = this.#one('var', [], pointer('function', type));
    result.name = name;
    return result;
  }
  /** Gives `base` itself without indices. */
  access(base: Value, ...indices: Value[]): Value {
    if (indices.length === 0) return base;
    return this.#one('access', [base, ...indices], accessType(base.type, indices));
  }
  bufferPointer(buffer: Value, type: PointerType, index?: Value): Result {
    return this.#one('buffer_pointer', index ? [buffer, index] : [buffer], type);
  }
  counterPointer(buffer: Value, layout: LayoutRule): Result {
    return this.#one('counter_pointer', [buffer], pointer('storage', intType, layout));
  }
  texel(resource: Value, coordinate: Value, level?: Value): Result {
    const type = resource.type;
    if (type.kind !== 'pointer' || type.pointee.kind !== 'texture')
      throw new InternalError('texel needs a texture');
    return this.#one(
      'texel',
      level ? [resource, coordinate, level] : [resource, coordinate],
      pointer('texel', type.pointee.element),
    );
  }
  load(from: Value, coherent = false): Result {
    if (from.type.kind !== 'pointer') throw new InternalError('load needs a pointer');
    return this.#one('load', [from], from.type.pointee, coherent ? { coherent } : undefined);
  }
  store(to: Value, value: Value, coherent = false): Instruction {
    return this.instruction('store', [to, value], [], none, coherent ? { coherent } : undefined);
  }

  // ---- calls and control

  /** Result is undefined for void. */
  call(callee: IrFunction, args: Value[]): Result | undefined {
    const types = callee.returnType.kind === 'void' ? [] : [callee.returnType];
    return this.instruction('call', args, types, none, { callee }).results[0];
  }
  /** `type` void: no result. */
  intrinsic(row: string, type: Type, args: Value[], text?: string): Result | undefined {
    const types = type.kind === 'void' ? [] : [type];
    const extra = { intrinsic: row, ...(text !== undefined && { text }) };
    return this.instruction('intrinsic', args, types, none, extra).results[0];
  }
  if(
    condition: Value,
    then: Block,
    otherwise: Block,
    resultTypes: readonly Type[] = [],
    hint?: Instruction['hint'],
  ): Instruction {
    return this.instruction('if', [condition], resultTypes, [then, otherwise], hint && { hint });
  }
  loop(
    initial: Value[],
    body: Block,
    continuing: Block,
    resultTypes: readonly Type[] = [],
    hint?: Instruction['hint'],
  ): Instruction {
    return this.instruction('loop', initial, resultTypes, [body, continuing], hint && { hint });
  }
  switch(
    selector: Value,
    cases: NonNullable<Instruction['cases']>,
    blocks: Block[],
    resultTypes: readonly Type[] = [],
    hint?: Instruction['hint'],
  ): Instruction {
    return this.instruction('switch', [selector], resultTypes, blocks, { cases, ...(hint && { hint }) });
  }
  yield(...values: Value[]): void {
    this.instruction('yield', values, []);
  }
  break(...values: Value[]): void {
    this.instruction('break', values, []);
  }
  continue(...values: Value[]): void {
    this.instruction('continue', values, []);
  }
  fallthrough(): void {
    this.instruction('fallthrough', [], []);
  }
  repeat(...values: Value[]): void {
    this.instruction('repeat', values, []);
  }
  repeatIf(condition: Value, again: Value[] = [], leaving: Value[] = []): void {
    this.instruction('repeat_if', [condition, ...again, ...leaving], [], none, {
      repeatCount: again.length,
    });
  }
  return(value?: Value): void {
    this.instruction('return', value ? [value] : [], []);
  }
  unreachable(): void {
    this.instruction('unreachable', [], []);
  }
  discard(): void {
    this.instruction('discard', [], []);
  }

  // ---- debug

  debugDeclare(variable: DebugVariable, memory: Value, indices: readonly number[] = []): void {
    this.instruction('debug_declare', [memory], [], none, {
      variable,
      ...(indices.length > 0 && { indices }),
    });
  }
  debugValue(variable: DebugVariable, value: Value, indices: readonly number[] = none): void {
    this.instruction('debug_value', [value], [], none, { variable, indices });
  }
}

/** Type of the part of a value that a constant path names. */
export function partType(type: Type, indices: readonly number[]): Type {
  for (let i = 0; i < indices.length; i++) type = partOf(type, indices[i]!);
  return type;
}

/** Type of component, row, element or member `index`. */
export function partOf(type: Type, index: number): Type {
  switch (type.kind) {
    case 'vector':
    case 'array':
      return type.element;
    case 'matrix':
      return rowType(type);
    case 'struct': {
      const member: { type: Type } | undefined = type.members[index];
      if (!member) throw new InternalError(`struct '${type.name}' has no member ${index}`);
      return member.type;
    }
    default:
      throw new InternalError(`a ${type.kind} has no parts`);
  }
}

/** Pointer type after stepping through `indices`; keeps space and layout, and tracks the packing of matrices where there is a layout. */
export function accessType(base: Type, indices: readonly Value[]): PointerType {
  if (base.kind !== 'pointer') throw new InternalError('access needs a pointer');
  let type: Type = base.pointee;
  let order = base.matrixOrder;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    const at = index.kind === 'constant' && typeof index.value === 'number' ? index.value : 0;
    if (type.kind === 'struct') order = type.members[at]?.matrixOrder ?? undefined;
    type = partOf(type, at);
  }
  const keepsOrder = base.layout !== undefined && (type.kind === 'matrix' || type.kind === 'array');
  return pointer(base.space, type, base.layout, keepsOrder ? order : undefined);
}
