/**
 * The row type of the intrinsic tables: one place that says how a function or method of HLSL is written, checked, folded
 * and spelled in each target. Rows live in the family files of this folder; table.ts finds them.
 */
import type { ScalarTree } from '../ir/arithmetic.ts';
import type { Builder } from '../ir/builder.ts';
import type { Instruction, ScalarValue, Stage, Value } from '../ir/ir.ts';
import type { ScalarClass, Type } from '../types/type.ts';

/** What a call may do besides giving its result; passes decide by it what may move or vanish. */
export type IntrinsicEffects =
  | 'none'
  /** Reads memory that may change (RW resources). */
  | 'reads'
  | 'writes'
  | 'atomic'
  /** Depends on neighbouring invocations: implicit derivatives. */
  | 'derivative'
  /** Depends on the set of active invocations. */
  | 'wave'
  | 'barrier';

/** A constant argument of `foldWhole`. */
export type FoldValue = ScalarTree;

/** Given back by `expand` for a call that is to stay as it is: the targets spell it. */
export const keep = Symbol('keep');

/** A call in other IR. The builder stands at the call and at its position. Gives the value that replaces the call's result. */
export type Expansion = (
  builder: Builder,
  args: readonly Value[],
  call: Instruction,
) => Value | undefined | typeof keep;

export interface Intrinsic {
  /**
   * Unique name used in the IR: the function's name, or `texture.Sample`, `buffer.Append` for methods. Rows that only
   * expansions use have a dot and lower case: `atomic.add`, `texture.query-size`.
   */
  key: string;
  /** As called in HLSL; empty for rows that only expansions use. */
  name: string;
  /** Methods: which objects have it, by the names of HLSL (`Texture2D`, `RWBuffer` ...). Absent for functions. */
  objects?: readonly string[];
  /** Signatures as notation.ts reads them. For methods the object is not among the parameters, but is operand 0 in the IR. */
  overloads: readonly string[];
  /** A call with an operand that points into memory of the function writes it besides. */
  effects: IntrinsicEffects;
  /**
   * Value for constant scalar arguments, applied component by component; the interpreter's definition too. Integers
   * come in their type's range (64 bits: bigint); the caller rounds or wraps the result to the result's type. The width of
   * the first argument comes last.
   */
  fold?: (...args: never[]) => ScalarValue;
  /** The same for calls that mix components. `round` rounds a number to the argument's float type. */
  foldWhole?: (round: (value: number) => number, ...args: never[]) => FoldValue;
  /** What it gives for every finite number, if that is always the same. */
  ofFinite?: boolean;
  /** How a target spells what `expand` keeps. */
  spirv?: SpirvSpelling;
  msl?: MslSpelling;
  /** For rows that no short description fits, or not for all operand types. */
  expand?: Expansion;
  /** Takes matrices as they are, as methods do. Calls of other functions on matrices become a call per row before `expand` sees them. */
  wholeMatrix?: boolean;
  /**
   * Gives its argument, marked as an index into an array of resources; lowering repeats the mark behind a parameter that such
   * an index is passed through.
   */
  marksIndex?: boolean;
  /** Operand 0 is an input of the stage itself: interpolated anew, or one of the values at the vertices (operand 1). */
  readsInput?: 'interpolated' | 'vertex';
  /** Its `offset` must be a constant, whatever targets could do. */
  constantOffset?: boolean;
  /** Why HLSL's function cannot be had here: the end of a message, a clause. */
  refused?: string;
  stages?: readonly Stage[];
  /** Least shader model, as 60 for 6.0; 60 if absent. */
  shaderModel?: number;
}

/** By class of the first argument's scalar. */
export interface ByScalar {
  float?: string;
  int?: string;
  uint?: string;
  bool?: string;
}

/** How the SPIR-V backend writes a call; data that spirv/instructions.ts interprets. */
export type SpirvSpelling =
  /** An instruction of GLSL.std.450 with the call's operands in order. */
  | { kind: 'ext'; name: string | ByScalar }
  /** A core instruction with the call's operands in order; `swap` reverses them. */
  | { kind: 'op'; name: string | ByScalar; capability?: string; extension?: string; swap?: boolean }
  /** Subgroup instruction: execution scope operand first, then `operation` if there is one, then the operands. */
  | {
      kind: 'group';
      name: string | ByScalar;
      operation?: GroupOperation;
      capability: string;
      extension?: string;
    }
  /**
   * Image instruction. Operand 0 is the texture; the roles of the others are the parameter names that `operandNames` of table.ts
   * gives for a call: sampler, location, offset, offset1..4, bias, lod, ddx, ddy, compareValue, clamp, sampleIndex, status (a
   * pointer: the residency code is stored there, and the sparse form of the instruction is used).
   */
  | { kind: 'image'; op: ImageOperation }
  /** The value of an input that the target provides, such as SubgroupSize; the backend declares the variable. */
  | { kind: 'builtin'; name: string; capability: string }
  /**
   * OpAtomic... on operand 0 (a pointer), device or workgroup scope by its space. Gives the old value. OpAtomicCompareExchange:
   * operands pointer, compare, value.
   */
  | { kind: 'atomic'; op: ByScalar | string }
  /** OpControlBarrier / OpMemoryBarrier. */
  | { kind: 'barrier'; execution: boolean; memory: 'workgroup' | 'device' | 'all' }
  /** Written out in spirv/instructions.ts under this name. */
  | { kind: 'special'; name: string };

/** How the Metal backend writes a call; data that msl/calls.ts interprets. */
export type MslSpelling =
  /** A function of the namespace metal with the call's operands in order. */
  | { kind: 'call'; name: string | ByScalar }
  /** A function across the lanes of a SIMD-group or quad: bools pass as numbers. */
  | { kind: 'lanes'; name: string }
  /** Method of a texture; operands have the roles that `operandNames` of table.ts gives. */
  | { kind: 'texture'; op: ImageOperation }
  /** An input that the stage provides, by its attribute. */
  | { kind: 'builtin'; attribute: string }
  /** `atomic_fetch_...` on operand 0, seen as a signed or unsigned number where that matters. */
  | { kind: 'atomic'; name: string; signed?: boolean }
  | { kind: 'barrier'; execution: boolean; memory: 'workgroup' | 'device' | 'all' }
  /** Method of an interpolant, which operand 0, an input of the stage, then is. */
  | { kind: 'interpolate'; method: string }
  /** Written out in msl/special-calls.ts under this name. */
  | { kind: 'special'; name: string }
  /** Metal has nothing like it. */
  | { kind: 'lacking' };

export type GroupOperation = 'Reduce' | 'InclusiveScan' | 'ExclusiveScan' | 'PartitionedExclusiveScanNV';

export type ImageOperation =
  | 'sample'
  | 'sample-bias'
  | 'sample-grad'
  | 'sample-lod'
  | 'sample-cmp'
  | 'sample-cmp-lod'
  | 'sample-cmp-bias'
  | 'sample-cmp-grad'
  | 'gather'
  | 'gather-cmp'
  | 'query-lod'
  | 'query-lod-unclamped'
  /** Fetch from sampled images, read from storage images. */
  | 'fetch'
  | 'query-size'
  | 'query-levels'
  | 'query-samples';

/** An argument as the checker sees it. */
export interface CallArgument {
  type: Type;
  lvalue: boolean;
}

export interface MatchedParameter {
  name: string;
  type: Type;
  mode: 'in' | 'out' | 'inout';
  /**
   * True for parameters that take a place, not a value: the destination of Interlocked functions. The IR operand
   * is a pointer (workgroup, storage, texel).
   */
  reference: boolean;
}

/** An overload chosen for given arguments. */
export interface Match {
  row: Intrinsic;
  /** Index into `row.overloads`. */
  overload: number;
  parameters: MatchedParameter[];
  result: Type;
}

// ---- the words that rows are written with

/** A pure function that works component by component and has one instruction of GLSL.std.450. */
export function componentwise(
  name: string,
  overload: string,
  fold: Intrinsic['fold'] & object,
  spirv: SpirvSpelling,
): Intrinsic {
  return { key: name, name, overloads: [overload], effects: 'none', fold, spirv };
}
export function ext(name: string | ByScalar): SpirvSpelling {
  return { kind: 'ext', name };
}
export function op(name: string | ByScalar, capability?: string, extension?: string): SpirvSpelling {
  return { kind: 'op', name, ...(capability && { capability }), ...(extension && { extension }) };
}
export function special(name: string): SpirvSpelling {
  return { kind: 'special', name };
}
/** The name in a spelling for a class of scalar; bools are spelled as `bool`, without one as `uint`. */
export function spelledFor(name: string | ByScalar, scalarClass: ScalarClass): string | undefined {
  if (typeof name === 'string') return name;
  return scalarClass === 'bool' ? (name.bool ?? name.uint) : name[scalarClass];
}
/** A row for something HLSL has and we do not. */
export function refused(name: string, reason: string): Intrinsic {
  return { key: name, name, overloads: [], effects: 'none', refused: reason };
}
