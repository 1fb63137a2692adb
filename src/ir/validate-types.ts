/** Type rules of the instructions, one case per opcode; validate.ts has the rules of structure, places and positions. */
import {
  boolType,
  componentCount,
  elementOf,
  hasOpaque,
  intType,
  isNumeric,
  type PointerType,
  scalarBits,
  scalarClass,
  type Type,
  typeName,
  uintType,
  vector,
  withElement,
} from '../types/type.ts';
import { accessType, partType } from './builder.ts';
import type { Instruction, Function as IrFunction, Module, Result, Value } from './ir.ts';
import { opcodeRow } from './walk.ts';

type Report = (problem: string) => void;

/** Operand counts and types, and the result's type, of every instruction but control instructions and terminators. */
export function checkTypes(instruction: Instruction, module: Module, report: Report): void {
  const { op, operands } = instruction;
  const row = opcodeRow(instruction);
  const [least, most] = row.operands;
  if (operands.length < least || operands.length > most) {
    report(`${op} has ${operands.length} operands`);
    return;
  }
  const wanted = row.result === 'same' || row.result === 'bool' ? 1 : row.result === 'none' ? 0 : undefined;
  if (wanted !== undefined && instruction.results.length !== wanted) {
    report(`${op} has ${instruction.results.length} results`);
    return;
  }
  if (row.result === 'given' && op !== 'call' && op !== 'intrinsic' && instruction.results.length !== 1) {
    report(`${op} has ${instruction.results.length} results`);
    return;
  }
  const problem = typeProblem(instruction, operands, module);
  if (problem) report(`${op}: ${problem}`);
}

function typeProblem(instruction: Instruction, operands: Value[], module: Module): string | undefined {
  const [first, second, third] = operands.map((operand) => operand.type);
  const result = instruction.results[0]?.type;
  switch (instruction.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'rem':
      return arithmetic(first!, second!, result!, ['int', 'uint', 'float']);
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'shr':
      return arithmetic(first!, second!, result!, ['int', 'uint']);
    case 'logical_and':
    case 'logical_or':
      return arithmetic(first!, second!, result!, ['bool']);
    case 'neg':
      return arithmetic(first!, first!, result!, ['int', 'uint', 'float']);
    case 'not':
      return arithmetic(first!, first!, result!, ['int', 'uint']);
    case 'logical_not':
      return arithmetic(first!, first!, result!, ['bool']);
    case 'equal':
    case 'not_equal':
      return comparison(first!, second!, result!, ['bool', 'int', 'uint', 'float']);
    case 'less':
    case 'less_equal':
    case 'greater':
    case 'greater_equal':
      return comparison(first!, second!, result!, ['int', 'uint', 'float']);
    case 'select':
      return select(first!, second!, third!, result!);
    case 'convert':
      return convert(first!, result!);
    case 'bitcast':
      return bitcast(first!, result!, module.enable16BitTypes);
    case 'construct':
      return construct(operands, result!);
    case 'splat':
      return isNumeric(result!) && elementOf(result) === first
        ? undefined
        : expected(first!, 'the element of', result!);
    case 'extract':
      return part(first!, instruction.indices, result!);
    case 'insert':
      return result === first
        ? part(first!, instruction.indices, second!)
        : expected(result!, 'the type', first!);
    case 'extract_dynamic':
    case 'insert_dynamic':
      return dynamic(instruction, operands);
    case 'swizzle':
      return swizzle(first!, instruction.indices, result!);
    case 'shuffle':
    case 'compose':
    case 'scale':
      return vectorForm(instruction, operands, result!);
    default:
      return memoryProblem(instruction, operands, result);
  }
}

function memoryProblem(
  instruction: Instruction,
  operands: Value[],
  result: Type | undefined,
): string | undefined {
  switch (instruction.op) {
    case 'var':
      if (result?.kind !== 'pointer' || result.space !== 'function')
        return 'the result is no pointer to function memory';
      return hasOpaque(result.pointee)
        ? `a variable of opaque type '${typeName(result.pointee)}'`
        : undefined;
    case 'access':
      return access(operands, result!);
    case 'buffer_pointer':
      return bufferPointer(operands, result!);
    case 'counter_pointer': {
      const buffer = resourceOf(operands[0]!);
      if (buffer?.kind !== 'buffer') return 'the operand is no buffer';
      return result?.kind === 'pointer' && result.space === 'storage' && result.pointee === intType
        ? undefined
        : 'the result is no pointer to an int in storage';
    }
    case 'texel':
      return texel(operands, result!);
    case 'load':
      return load(operands[0]!.type, result!);
    case 'store':
      return store(operands[0]!.type, operands[1]!.type);
    case 'call':
      return instruction.callee ? call(instruction.callee, operands, instruction.results) : 'no callee';
    case 'intrinsic':
      return instruction.intrinsic ? undefined : 'no row';
    default:
      return undefined;
  }
}

function expected(type: Type, what: string, other: Type): string {
  return `'${typeName(type)}' is not ${what} '${typeName(other)}'`;
}

function inClasses(type: Type, classes: readonly string[]): boolean {
  const element = elementOf(type);
  return element !== undefined && classes.includes(scalarClass(element));
}

function arithmetic(left: Type, right: Type, result: Type, classes: readonly string[]): string | undefined {
  if (left !== right) return expected(left, 'the type of', right);
  if (!isNumeric(left) || !inClasses(left, classes)) return `not for '${typeName(left)}'`;
  return result === left ? undefined : expected(result, 'the type', left);
}

function comparison(left: Type, right: Type, result: Type, classes: readonly string[]): string | undefined {
  if (left !== right) return expected(left, 'the type of', right);
  if (!isNumeric(left) || !inClasses(left, classes)) return `not for '${typeName(left)}'`;
  const wanted = withElement(left, boolType);
  return result === wanted ? undefined : expected(result, 'the type', wanted);
}

function select(condition: Type, whenTrue: Type, whenFalse: Type, result: Type): string | undefined {
  if (whenTrue !== whenFalse) return expected(whenTrue, 'the type of', whenFalse);
  if (result !== whenTrue) return expected(result, 'the type', whenTrue);
  if (condition === boolType) return undefined;
  const fits = isNumeric(result) && withElement(result, boolType) === condition;
  return fits
    ? undefined
    : `the condition '${typeName(condition)}' has not the shape of '${typeName(result)}'`;
}

function convert(from: Type, to: Type): string | undefined {
  const scalarLike = (type: Type): boolean => type.kind === 'scalar' || type.kind === 'enum';
  if (scalarLike(from) && scalarLike(to)) return undefined;
  const element = elementOf(to);
  return isNumeric(from) && element && withElement(from, element) === to
    ? undefined
    : expected(to, 'of the shape of', from);
}

function bitcast(from: Type, to: Type, wide: boolean): string | undefined {
  if (!isNumeric(from) || !isNumeric(to)) return 'not numeric';
  const bits = (type: typeof from): number => componentCount(type) * scalarBits(elementOf(type)!, wide);
  return bits(from) === bits(to) ? undefined : `'${typeName(from)}' and '${typeName(to)}' differ in size`;
}

function construct(operands: readonly Value[], result: Type): string | undefined {
  const count = partCount(result);
  if (count === undefined) return `no parts in '${typeName(result)}'`;
  if (count !== operands.length) return `${operands.length} operands for ${count} parts`;
  for (const [i, operand] of operands.entries()) {
    const wanted = partType(result, [i]);
    if (operand.type !== wanted) return expected(operand.type, 'the type', wanted);
  }
  return undefined;
}

/** How many parts a type has; undefined for types without. Arrays without size have any. */
function partCount(type: Type): number | undefined {
  switch (type.kind) {
    case 'vector':
      return type.count;
    case 'matrix':
      return type.rows;
    case 'array':
      return type.size || Infinity;
    case 'struct':
      return type.members.length;
    default:
      return undefined;
  }
}

function part(of: Type, indices: readonly number[] | undefined, wanted: Type): string | undefined {
  if (!indices?.length) return 'no indices';
  let type = of;
  for (const index of indices) {
    const count = partCount(type);
    if (count === undefined) return `no parts in '${typeName(type)}'`;
    if (!Number.isInteger(index) || index < 0 || index >= count)
      return `no part ${index} in '${typeName(type)}'`;
    type = partType(type, [index]);
  }
  return type === wanted ? undefined : expected(wanted, 'the type', type);
}

function isIndex(type: Type): boolean {
  return type.kind === 'scalar' && (scalarClass(type) === 'int' || scalarClass(type) === 'uint');
}

function dynamic(instruction: Instruction, operands: readonly Value[]): string | undefined {
  const of = operands[0]!.type;
  if (of.kind !== 'vector') return `no vector: '${typeName(of)}'`;
  const index = operands[operands.length - 1]!.type;
  if (!isIndex(index)) return `no index: '${typeName(index)}'`;
  const result = instruction.results[0]!.type;
  if (instruction.op === 'extract_dynamic')
    return result === of.element ? undefined : expected(result, 'the element of', of);
  return operands[1]!.type === of.element ? undefined : expected(operands[1]!.type, 'the element of', of);
}

function vectorForm(
  { op, indices }: Instruction,
  operands: readonly Value[],
  result: Type,
): string | undefined {
  const types = operands.map(({ type }) => type);
  if (op === 'scale')
    return elementOf(types[0]!) === types[1] && elementOf(result) ? undefined : 'no float vector and scalar';
  if (result.kind !== 'vector') return `no vector: '${typeName(result)}'`;
  if (types.some((type) => elementOf(type) !== result.element || type.kind === 'matrix'))
    return 'other elements';
  const counts = types.map((type) => (type.kind === 'vector' ? type.count : 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (op === 'compose') return total === result.count ? undefined : `${total} components for ${result.count}`;
  const fits = indices?.length === result.count && indices.every((index) => index >= 0 && index < total);
  return fits ? undefined : 'no such components';
}

function swizzle(of: Type, indices: readonly number[] | undefined, result: Type): string | undefined {
  if (of.kind !== 'vector') return `no vector: '${typeName(of)}'`;
  if (!indices || indices.length < 1 || indices.length > 4) return 'one to four components';
  if (indices.some((index) => index < 0 || index >= of.count))
    return `no such component in '${typeName(of)}'`;
  const wanted = indices.length === 1 ? of.element : vector(of.element, indices.length);
  const other = indices.length === 1 ? vector(of.element, 1) : wanted;
  return result === wanted || result === other ? undefined : expected(result, 'the type', wanted);
}

function access([base, ...indices]: readonly Value[], result: Type): string | undefined {
  if (base?.type.kind !== 'pointer') return 'the base is no pointer';
  let type = base.type.pointee;
  for (const index of indices) {
    if (!isIndex(index.type)) return `no index: '${typeName(index.type)}'`;
    const count = partCount(type);
    if (count === undefined) return `no parts in '${typeName(type)}'`;
    const constant = index.kind === 'constant' && typeof index.value === 'number' ? index.value : undefined;
    if (type.kind === 'struct' && constant === undefined) return 'a struct member needs a constant index';
    // Arrays have no bounds at run time; a constant index may miss as well.
    if (type.kind !== 'array' && constant !== undefined && (constant < 0 || constant >= count))
      return `no part ${constant} in '${typeName(type)}'`;
    type = partType(type, [constant ?? 0]);
  }
  const wanted = accessType(base.type, indices);
  return result === wanted ? undefined : expected(result, 'the type', wanted);
}

function resourceOf(value: Value): Type | undefined {
  return value.type.kind === 'pointer' && value.type.space === 'resource' ? value.type.pointee : undefined;
}

function bufferPointer(operands: readonly Value[], result: Type): string | undefined {
  const buffer = resourceOf(operands[0]!);
  if (buffer?.kind !== 'buffer') return 'the operand is no buffer';
  const whole = buffer.buffer === 'ConstantBuffer' || buffer.buffer === 'TextureBuffer';
  if (whole !== (operands.length === 1))
    return whole ? 'a constant buffer takes no index' : 'an index is missing';
  if (operands[1] && !isIndex(operands[1].type)) return `no index: '${typeName(operands[1].type)}'`;
  if (result.kind !== 'pointer') return 'the result is no pointer';
  const space = buffer.buffer === 'ConstantBuffer' ? 'uniform' : 'storage';
  if (result.space !== space) return `the result is no pointer to ${space}`;
  if (!result.layout) return 'the result has no layout';
  const element = buffer.buffer.includes('ByteAddress') ? uintType : buffer.element;
  return result.pointee === element ? undefined : expected(result.pointee, 'the element of', buffer);
}

function texel(operands: readonly Value[], result: Type): string | undefined {
  const texture = resourceOf(operands[0]!);
  if (texture?.kind !== 'texture') return 'the operand is no texture';
  if (!inClasses(operands[1]!.type, ['int', 'uint']))
    return `no coordinate: '${typeName(operands[1]!.type)}'`;
  if (operands[2] && !isIndex(operands[2].type)) return `no level: '${typeName(operands[2].type)}'`;
  const fits = result.kind === 'pointer' && result.space === 'texel' && result.pointee === texture.element;
  return fits ? undefined : expected(result, 'a pointer to a texel of', texture);
}

function load(from: Type, result: Type): string | undefined {
  if (from.kind !== 'pointer') return 'the operand is no pointer';
  if (from.space === 'resource') return 'a resource is no value';
  return result === from.pointee ? undefined : expected(result, 'the type', from.pointee);
}

function store(to: Type, value: Type): string | undefined {
  if (to.kind !== 'pointer') return 'the target is no pointer';
  const readOnly: readonly PointerType['space'][] = ['input', 'uniform', 'push-constant', 'resource'];
  if (readOnly.includes(to.space)) return `nothing can be stored to ${to.space}`;
  return value === to.pointee ? undefined : expected(value, 'the type', to.pointee);
}

function call(
  callee: IrFunction,
  operands: readonly Value[],
  results: readonly Result[],
): string | undefined {
  if (operands.length !== callee.parameters.length)
    return `${operands.length} arguments for ${callee.parameters.length} parameters`;
  for (const [i, operand] of operands.entries()) {
    const wanted = callee.parameters[i]!.type;
    if (operand.type !== wanted) return expected(operand.type, 'the type', wanted);
  }
  if (callee.returnType.kind === 'void') return results.length === 0 ? undefined : 'the callee gives nothing';
  if (results.length !== 1) return 'the callee gives one result';
  return results[0]!.type === callee.returnType
    ? undefined
    : expected(results[0]!.type, 'the type', callee.returnType);
}
