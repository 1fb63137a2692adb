/** One IR instruction as SPIR-V. Control flow is control-flow.ts; this file delegates by kind of instruction. */

import { type SpirvSpelling, spelledFor } from '../intrinsics/intrinsic.ts';
import { intrinsicOf, spokenName } from '../intrinsics/table.ts';
import type { Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import {
  elementOf,
  isNumeric,
  type MatrixType,
  type PointerType,
  scalarBits,
  scalarClass,
  type Type,
} from '../types/type.ts';
import {
  emitArithmetic,
  emitBitcast,
  emitConstruct,
  emitConvert,
  emitExtract,
  emitExtractDynamic,
  emitInsert,
  emitInsertDynamic,
  emitScale,
  emitSelect,
  emitShuffle,
  emitSplat,
  emitSwizzle,
} from './arithmetic.ts';
import { emitAtomic, emitBarrier } from './atomics.ts';
import { addVariable, decorateResult, emit, emitResult, valueId } from './body.ts';
import { type CapabilityName, importSet, needCapability, needExtension } from './capabilities.ts';
import { constantUint } from './constants.ts';
import { type FunctionContext, locationOf } from './context.ts';
import { declareVariable, describeValue } from './debug-lines.ts';
import { name as nameId } from './decorations.ts';
import { Glsl, Op, Scope, StorageClass } from './enums.ts';
import { emitImage } from './images.ts';
import { builtinInput, numberedInput } from './interface.ts';
import {
  asMatrix,
  emitAccess,
  fromMatrix,
  loadFrom,
  placeFor,
  pointeeTypeId,
  pointerId,
  storeTo,
} from './memory.ts';
import { bufferPlace, counterPlace } from './resources.ts';
import type { OpNumber } from './sections.ts';
import { loadTexel, storeTexel } from './texels.ts';
import { decorateRelaxed, pointerTypeId, spirvMatrixTypeId, valueTypeId, voidTypeId } from './types.ts';

/** Everything but control instructions and terminators. */
export function emitInstruction(f: FunctionContext, instruction: Instruction): void {
  const result = instruction.results[0];
  const id = emitValue(f, instruction);
  if (result && id !== undefined) f.values.set(result, id);
  if (
    result &&
    f.nonUniform.size > 0 &&
    carriesNonUniform(instruction) &&
    instruction.operands.some((operand) => f.nonUniform.has(operand))
  ) {
    f.nonUniform.add(result);
  }
}

/** Values computed from a non-uniform index are non-uniform; calls and control flow are not looked through. */
function carriesNonUniform({ op }: Instruction): boolean {
  return op !== 'call' && op !== 'intrinsic';
}

function emitValue(f: FunctionContext, instruction: Instruction): number | undefined {
  const { operands } = instruction;
  const a = operands[0]!;
  const b = operands[1]!;
  const c = operands[2]!;
  const type = instruction.results[0]?.type as Type;
  switch (instruction.op) {
    case 'convert':
      return emitConvert(f, a, type);
    case 'bitcast':
      return emitBitcast(f, a, type);
    case 'select':
      return decorateResult(f, emitSelect(f, a, b, c), type, false);
    case 'construct':
      return emitConstruct(f, type, operands);
    case 'splat':
      return emitSplat(f, type, a);
    case 'extract':
      return emitExtract(f, instruction);
    case 'insert':
      return emitInsert(f, instruction);
    case 'extract_dynamic':
      return emitExtractDynamic(f, a, b, type);
    case 'insert_dynamic':
      return emitInsertDynamic(f, a, b, c);
    case 'swizzle':
      return emitSwizzle(f, instruction);
    case 'shuffle':
      return emitShuffle(f, instruction);
    case 'compose':
      return emitConstruct(f, type, operands);
    case 'scale':
      return emitScale(f, instruction);
    case 'var':
      return emitVar(f, instruction);
    case 'access':
      emitAccess(f, instruction);
      return undefined;
    case 'buffer_pointer':
      f.places.set(instruction.results[0]!, bufferPlace(f, a, b));
      return undefined;
    case 'counter_pointer':
      f.places.set(instruction.results[0]!, counterPlace(f, a));
      return undefined;
    case 'texel':
      f.texels.set(instruction.results[0]!, { resource: a, coordinate: b, ...(c && { level: c }) });
      return undefined;
    case 'load':
      return emitLoad(f, a, type);
    case 'store':
      emitStore(f, a, b);
      return undefined;
    case 'call':
      return emitCall(f, instruction);
    case 'intrinsic':
      return emitIntrinsic(f, instruction);
    case 'debug_declare':
      declareVariable(f, instruction);
      return undefined;
    case 'debug_value':
      describeValue(f, instruction);
      return undefined;
    default: {
      const id = emitArithmetic(f, instruction);
      if (id === undefined) throw new InternalError(`cannot emit '${instruction.op}'`);
      return id;
    }
  }
}

function emitVar(f: FunctionContext, instruction: Instruction): number {
  const result = instruction.results[0]!;
  const type = result.type as PointerType;
  const id = addVariable(f, pointerTypeId(f, StorageClass.Function, valueTypeId(f, type.pointee)));
  if (result.name) nameId(f, id, result.name);
  return decorateRelaxed(f, id, type.pointee);
}

function emitLoad(f: FunctionContext, pointer: Value, type: Type): number {
  const texel = pointer.kind === 'result' ? f.texels.get(pointer) : undefined;
  if (texel) return loadTexel(f, texel, type);
  return decorateResult(f, loadFrom(f, placeFor(f, pointer), pointer.type as PointerType), type, false);
}

function emitStore(f: FunctionContext, pointer: Value, value: Value): void {
  const texel = pointer.kind === 'result' ? f.texels.get(pointer) : undefined;
  if (texel) {
    storeTexel(f, texel, value);
    return;
  }
  if (f.nonUniform.has(value)) f.nonUniform.add(pointer);
  storeTo(f, placeFor(f, pointer), pointer.type as PointerType, valueId(f, value));
}

function emitCall(f: FunctionContext, instruction: Instruction): number | undefined {
  const callee = instruction.callee;
  const id = callee && f.functions.get(callee);
  if (!callee || id === undefined) throw new InternalError('a call of a function that is not in the module');
  const args = instruction.operands.map((operand) => operandId(f, operand));
  const result = emitResult(f, Op.FunctionCall, valueTypeId(f, callee.returnType), id, ...args);
  return callee.returnType.kind === 'void' ? undefined : decorateRelaxed(f, result, callee.returnType);
}

/** Values as they are; pointers made real. */
export function operandId(f: FunctionContext, operand: Value): number {
  if (operand.type.kind !== 'pointer') return valueId(f, operand);
  return pointerId(f, placeFor(f, operand), pointeeTypeId(f, operand.type));
}

function emitIntrinsic(f: FunctionContext, instruction: Instruction): number | undefined {
  const row = intrinsicOf(instruction);
  const spelling = row.spirv;
  if (!spelling) {
    f.log.report('spirv-unsupported-intrinsic', locationOf(f), { name: row.name || row.key });
    return undefinedResult(f, instruction);
  }
  if (row.effects === 'derivative') f.uses.add('derivatives');
  const id = spell(f, instruction, spelling);
  const type = instruction.results[0]?.type;
  return id === undefined || !type ? undefined : decorateResult(f, id, type, false);
}

/** Stands for the value of a call that was reported; nothing is written then. */
function undefinedResult(f: FunctionContext, instruction: Instruction): number | undefined {
  const type = instruction.results[0]?.type;
  return type && emitResult(f, Op.Undef, valueTypeId(f, type));
}

/** What a row says; a row without a name for the operand's class is a fault of the table. */
function spelled(instruction: Instruction, names: Parameters<typeof spelledFor>[0]): string {
  const element = instruction.operands
    .map((operand) => elementOf(operand.type))
    .find((type) => type !== undefined);
  const found = typeof names === 'string' ? names : spelledFor(names, scalarClass(element!));
  if (!found) throw new InternalError(`'${instruction.intrinsic}' has no spelling for its operands`);
  return found;
}

function opNumber(spelling: string): OpNumber {
  const name = spelling.replace(/^Op/, '');
  const number = Op[name as keyof typeof Op] ?? Op[name.replace(/EXT$/, '') as keyof typeof Op];
  if (number === undefined) throw new InternalError(`there is no instruction '${spelling}'`);
  return number;
}

function spell(f: FunctionContext, instruction: Instruction, spelling: SpirvSpelling): number | undefined {
  const type = instruction.results[0]?.type;
  switch (spelling.kind) {
    case 'ext':
      return emitExtended(f, instruction, spelled(instruction, spelling.name));
    case 'op': {
      if (spelling.capability) needCapability(f, spelling.capability as CapabilityName);
      if (spelling.extension) needExtension(f, spelling.extension);
      const ids = instruction.operands.map((operand) => operandId(f, operand));
      if (spelling.swap) ids.reverse();
      return plain(f, opNumber(spelled(instruction, spelling.name)), type, ids);
    }
    case 'group': {
      needCapability(f, spelling.capability as CapabilityName);
      if (spelling.extension) needExtension(f, spelling.extension);
      const operations = { Reduce: 0, InclusiveScan: 1, ExclusiveScan: 2, PartitionedExclusiveScanNV: 8 };
      const ids = instruction.operands.map((operand) => operandId(f, operand));
      const operation = spelling.operation ? [operations[spelling.operation]] : [];
      return plain(f, opNumber(spelled(instruction, spelling.name)), type, [
        constantUint(f, Scope.Subgroup),
        ...operation,
        ...ids,
      ]);
    }
    case 'image':
      return emitImage(f, instruction, spelling.op);
    case 'builtin':
      return builtinInput(f, spelling.name, spelling.capability as CapabilityName, type!);
    case 'atomic':
      return emitAtomic(f, instruction, opNumber(spelled(instruction, spelling.op)));
    case 'barrier':
      emitBarrier(f, spelling.execution, spelling.memory);
      return undefined;
    case 'special':
      return emitSpecial(f, instruction, spelling.name);
  }
}

function plain(f: FunctionContext, op: OpNumber, type: Type | undefined, ids: number[]): number | undefined {
  if (type) return emitResult(f, op, valueTypeId(f, type), ...ids);
  emit(f, op, ...ids);
  return undefined;
}

/** Of GLSL.std.450, all but a few functions are for 16 and 32 bits only. */
const wideFunctions = new Set([
  'Round',
  'RoundEven',
  'Trunc',
  'FAbs',
  'SAbs',
  'FSign',
  'SSign',
  'Floor',
  'Ceil',
  'Fract',
  'Sqrt',
  'InverseSqrt',
  'Determinant',
  'MatrixInverse',
  'Modf',
  'ModfStruct',
  'FMin',
  'UMin',
  'SMin',
  'FMax',
  'UMax',
  'SMax',
  'FClamp',
  'UClamp',
  'SClamp',
  'FMix',
  'Step',
  'SmoothStep',
  'Fma',
  'Frexp',
  'FrexpStruct',
  'Ldexp',
  'Length',
  'Distance',
  'Cross',
  'Normalize',
  'FaceForward',
  'Reflect',
  'Refract',
  'NMin',
  'NMax',
  'NClamp',
  'PackDouble2x32',
  'UnpackDouble2x32',
]);

function emitExtended(f: FunctionContext, instruction: Instruction, spelling: string): number | undefined {
  const number = Glsl[spelling as keyof typeof Glsl];
  if (number === undefined) throw new InternalError(`there is no '${spelling}' in GLSL.std.450`);
  const isWide = instruction.operands.some(
    (operand) =>
      isNumeric(operand.type) && scalarBits(elementOf(operand.type)!, f.module.enable16BitTypes) === 64,
  );
  if (isWide && !wideFunctions.has(spelling))
    f.log.report('spirv-wide-function', locationOf(f), { name: spokenName(instruction) });
  const type = instruction.results[0]?.type;
  // Matrix operands reach this place only where the set takes matrices.
  const ids = instruction.operands.map((operand) =>
    operand.type.kind === 'matrix'
      ? asMatrix(f, operand.type, valueId(f, operand), spirvMatrixTypeId(f, operand.type))
      : operandId(f, operand),
  );
  if (spelling.startsWith('Interpolate')) needCapability(f, 'InterpolationFunction');
  return emitResult(
    f,
    Op.ExtInst,
    type ? valueTypeId(f, type) : voidTypeId(f),
    importSet(f, 'GLSL.std.450'),
    number,
    ...ids,
  );
}

/** Functions that take more than one instruction, or another form of their operands. */
function emitSpecial(f: FunctionContext, instruction: Instruction, special: string): number | undefined {
  const { operands } = instruction;
  const type = instruction.results[0]?.type as Type;
  switch (special) {
    case 'mul':
      return emitMul(f, operands[0]!, operands[1]!, type, instruction.precise);
    case 'transpose':
      return emitTranspose(f, operands[0]!, type as MatrixType);
    case 'array-length':
      return emitArrayLength(f, operands[0]!, type);
    case 'builtin-input':
      return numberedInput(f, Number(instruction.text), type);
    case 'debug-break':
      needExtension(f, 'SPV_KHR_non_semantic_info');
      emitResult(f, Op.ExtInst, voidTypeId(f), importSet(f, 'NonSemantic.DebugBreak'), 1);
      return undefined;
    case 'debug-printf':
      emitPrintf(f, instruction);
      return undefined;
    case 'nonuniform':
      f.nonUniform.add(instruction.results[0]!);
      return valueId(f, operands[0]!);
    default:
      f.log.report('spirv-unsupported-intrinsic', locationOf(f), { name: spokenName(instruction) });
      return undefinedResult(f, instruction);
  }
}

/** Validation layers and debuggers print it; to everybody else it is nothing. */
function emitPrintf(f: FunctionContext, instruction: Instruction): void {
  needExtension(f, 'SPV_KHR_non_semantic_info');
  const set = importSet(f, 'NonSemantic.DebugPrintf');
  const text = instruction.text ?? '';
  let format = f.interned.get(`string ${text}`);
  if (format === undefined) {
    format = f.sections.id();
    f.interned.set(`string ${text}`, format);
    f.sections.addText('strings', Op.String, [format], text);
  }
  const values = instruction.operands.map((operand) => operandId(f, operand));
  emitResult(f, Op.ExtInst, voidTypeId(f), set, 1, format, ...values);
}

/** Number of elements of a buffer's array, its only member. */
function emitArrayLength(f: FunctionContext, buffer: Value, type: Type): number {
  const place = placeFor(f, buffer);
  const info = f.resources.get(place.base);
  if (!info) throw new InternalError('the length of something that is no resource');
  return emitResult(f, Op.ArrayLength, valueTypeId(f, type), pointerId(f, place, info.typeId), 0);
}

/**
 * Rows of HLSL are columns of SPIR-V, so a matrix stands for its transpose and factors change places. Products with
 * scalars, of integers and with thin matrices were written out before.
 */
function emitMul(
  f: FunctionContext,
  left: Value,
  right: Value,
  type: Type,
  precise: boolean | undefined,
): number {
  const l = matrixOperand(f, left);
  const r = matrixOperand(f, right);
  let id: number;
  if (left.type.kind === 'matrix' && right.type.kind === 'matrix') {
    const result = spirvMatrixTypeId(f, type as MatrixType);
    id = emitResult(f, Op.MatrixTimesMatrix, result, r, l);
    decorateResult(f, id, type, precise);
    return fromMatrix(f, type as MatrixType, id, result);
  }
  if (left.type.kind === 'matrix') id = emitResult(f, Op.VectorTimesMatrix, valueTypeId(f, type), r, l);
  else id = emitResult(f, Op.MatrixTimesVector, valueTypeId(f, type), r, l);
  return decorateResult(f, id, type, precise);
}

function matrixOperand(f: FunctionContext, value: Value): number {
  const id = valueId(f, value);
  return value.type.kind === 'matrix' ? asMatrix(f, value.type, id, spirvMatrixTypeId(f, value.type)) : id;
}

function emitTranspose(f: FunctionContext, operand: Value, type: MatrixType): number {
  const id = matrixOperand(f, operand);
  const result = spirvMatrixTypeId(f, type);
  return fromMatrix(f, type, emitResult(f, Op.Transpose, result, id), result);
}
