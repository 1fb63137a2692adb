/** A SPIR-V module as the machine runs it: types in the compiler's terms, constants as values, functions as blocks. */
import {
  type DebugModule,
  type ReadBlock,
  readDebug,
  type ReadFunction,
  type ReadInstruction,
} from '../../../src/spirv/debug-reader.ts';
import { Decoration, Op, StorageClass } from '../../../src/spirv/enums.ts';
import { readString } from '../../../src/spirv/grammar.ts';
import {
  array,
  boolType,
  matrix,
  pointer,
  type ScalarName,
  type ScalarType,
  scalar,
  type Type,
  vector,
  voidType,
} from '../../../src/types/type.ts';
import { fromBits } from '../interpreter/arithmetic.ts';
import { asScalar, type Datum, fail, shapeOfType, zeroOf } from '../interpreter/value.ts';

/** Ids of instructions' results are the names of values. */
export type Id = number;

export interface Variable {
  id: Id;
  storage: number;
  /** Of what it points to. */
  type: Id;
  name: string;
  initial: Datum | undefined;
}

export interface Program {
  debug: DebugModule;
  /** Types without an equal in HLSL, such as images, are absent. */
  types: Map<Id, Type>;
  constants: Map<Id, Datum>;
  variables: Variable[];
  functions: Map<Id, ReadFunction>;
  /** By label. */
  blocks: Map<Id, ReadBlock>;
  parameters: Map<Id, Id[]>;
  /** Of the entry point. */
  entry: Id;
  threadGroupSize: readonly [number, number, number];
  /** Operands of a decoration; of a member's if there is one. */
  decoration: (target: Id, decoration: number, member?: number) => number[] | undefined;
  extended: Map<Id, string>;
}

/** Numbers that enums.ts has no need of. */
const localSize = 17;

export function readProgram(words: Uint32Array): Program {
  const debug = readDebug(words);
  const decorations = readDecorations(debug);
  const program: Program = {
    debug,
    types: new Map(),
    constants: new Map(),
    variables: [],
    functions: new Map(debug.functions.map((each) => [each.id, each])),
    blocks: new Map(debug.functions.flatMap(({ blocks }) => blocks.map((block) => [block.label, block]))),
    parameters: new Map(),
    entry: 0,
    threadGroupSize: [1, 1, 1],
    decoration: (target, decoration, member) => decorations.get(`${target},${member ?? ''},${decoration}`),
    extended: new Map(),
  };
  const names = new Map<Id, string>();
  let current = 0;
  for (const instruction of debug.code) {
    const { op, words: w } = instruction;
    if (op === Op.Name) names.set(w[0]!, readString(w, 1).text);
    else if (op === Op.ExtInstImport) program.extended.set(w[0]!, readString(w, 1).text);
    else if (op === Op.EntryPoint) program.entry = w[1]!;
    else if (op === Op.ExecutionMode && w[1] === localSize) program.threadGroupSize = [w[2]!, w[3]!, w[4]!];
    else if (op === Op.Function) {
      current = w[1]!;
      program.parameters.set(current, []);
    } else if (op === Op.FunctionParameter) program.parameters.get(current)!.push(w[1]!);
    else if (op === Op.Variable && current === 0) readVariable(program, instruction, names);
    else if (current === 0) {
      const type = readType(program, instruction, names);
      if (type) program.types.set(instruction.result!, type);
      readConstant(program, instruction);
    } else if (op === Op.Undef) readConstant(program, instruction);
  }
  return program;
}

function readDecorations({ code }: DebugModule): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { op, words: w } of code) {
    if (op === Op.Decorate) found.set(`${w[0]},,${w[1]}`, [...w.subarray(2)]);
    else if (op === Op.MemberDecorate) found.set(`${w[0]},${w[1]},${w[2]}`, [...w.subarray(3)]);
  }
  return found;
}

function readVariable(program: Program, { words: w }: ReadInstruction, names: Map<Id, string>): void {
  const type = program.debug.definitions.get(w[0]!)!.words[2]!;
  const initial = w[3] === undefined ? undefined : program.constants.get(w[3]);
  program.variables.push({ id: w[1]!, storage: w[2]!, type, name: names.get(w[1]!) ?? '', initial });
}

const scalarNames: Readonly<Record<string, ScalarName>> = {
  'int 16': 'int16_t',
  'int 32': 'int',
  'int 64': 'int64_t',
  'uint 16': 'uint16_t',
  'uint 32': 'uint',
  'uint 64': 'uint64_t',
  'float 16': 'float16_t',
  'float 32': 'float',
  'float 64': 'double',
};

function scalarOf(kind: string, bits: number): ScalarType {
  return scalar(scalarNames[`${kind} ${bits}`] ?? fail(`a scalar of ${bits} bits`));
}

/** The type that an instruction declares; undefined for one without an equal, and for what is no type. */
function readType(
  { types, constants }: Program,
  { op, words: w }: ReadInstruction,
  names: Map<Id, string>,
): Type | undefined {
  const [id, a, b] = w as unknown as [Id, number, number];
  const known = types.get(a);
  switch (op) {
    case Op.TypeVoid:
      return voidType;
    case Op.TypeBool:
      return boolType;
    case Op.TypeInt:
      return scalarOf(b === 1 ? 'int' : 'uint', a);
    case Op.TypeFloat:
      return scalarOf('float', a);
    case Op.TypeVector:
      return vector(known as ScalarType, b);
    case Op.TypeMatrix:
      // Columns of SPIR-V are the rows of HLSL.
      return known?.kind === 'vector' ? matrix(known.element, b, known.count) : undefined;
    case Op.TypeArray:
      return known && array(known, Number(asScalar(constants.get(b) ?? 0)));
    case Op.TypeStruct: {
      const members = [...w.subarray(1)].map((member, i) => ({ name: `${i}`, type: types.get(member) }));
      if (members.some(({ type }) => type === undefined)) return undefined;
      return { kind: 'struct', name: names.get(id) ?? '', members } as unknown as Type;
    }
    case Op.TypePointer: {
      const pointee = types.get(b);
      return pointee && pointer('function', pointee);
    }
    default:
      return undefined;
  }
}

function readConstant(program: Program, { op, words: w, type, result }: ReadInstruction): void {
  const { constants, types } = program;
  const of = type === undefined ? undefined : types.get(type);
  if (!of || result === undefined) return;
  switch (op) {
    case Op.ConstantTrue:
    case Op.SpecConstantTrue:
      constants.set(result, true);
      return;
    case Op.ConstantFalse:
    case Op.SpecConstantFalse:
      constants.set(result, false);
      return;
    case Op.Constant:
    case Op.SpecConstant: {
      const bits = BigInt(w[2]!) | (BigInt(w[3] ?? 0) << 32n);
      const shape = shapeOfType(of, true);
      constants.set(result, fromBits(BigInt.asUintN(shape.bits, bits), shape));
      return;
    }
    case Op.ConstantNull:
    case Op.Undef:
      if (of.kind !== 'pointer' && of.kind !== 'void') constants.set(result, zeroOf(of));
      return;
    case Op.ConstantComposite:
      constants.set(
        result,
        [...w.subarray(2)].map((part) => constants.get(part) ?? fail('a constant of unknown parts')),
      );
  }
}

/** Where the variable lies as resources are bound: `set.binding`. */
export function bindingOf({ decoration }: Program, id: Id): string {
  return `${decoration(id, Decoration.DescriptorSet)?.[0] ?? 0}.${decoration(id, Decoration.Binding)?.[0] ?? 0}`;
}

export const isPerThread = (storage: number): boolean =>
  storage === StorageClass.Private || storage === StorageClass.Input || storage === StorageClass.Output;
