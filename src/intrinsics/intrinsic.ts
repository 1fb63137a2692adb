/**
 * The row type of the intrinsic tables: one place that says how a function or method of HLSL is written, checked, folded
 * and spelled in each target. Rows live in the family files of this folder; table.ts finds them.
 */
import type { Builder } from '../ir/builder.ts';
import type { Instruction, ScalarValue, Stage, Value } from '../ir/ir.ts';
import type { Type } from '../types/type.ts';

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

export interface Intrinsic {
  /** Unique name used in the IR: the function's name, or `texture.Sample`, `buffer.Append` for methods. */
  key: string;
  /** As called in HLSL. */
  name: string;
  /** Methods: which objects have it, by the names of HLSL (`Texture2D`, `RWBuffer` ...). Absent for functions. */
  objects?: readonly string[];
  /** Signatures in the notation of signature.ts. For methods the object is not among the parameters, but is operand 0 in the IR. */
  overloads: readonly string[];
  effects: IntrinsicEffects;
  /** Value for constant scalar arguments, applied component by component; the interpreter's definition too. */
  fold?: (...args: never[]) => ScalarValue;
  spirv?: SpirvSpelling;
  /** The call in other IR, for rows that no short description fits. `args` are the call's operands. */
  expand?: (builder: Builder, args: readonly Value[], call: Instruction) => Value | undefined;
  stages?: readonly Stage[];
  /** Least shader model, as 60 for 6.0; 60 if absent. */
  shaderModel?: number;
}

/** By class of the first argument's scalar. */
export interface ByScalar { float?: string; int?: string; uint?: string; bool?: string }

/** How the SPIR-V backend writes a call; data that spirv/instructions.ts interprets. */
export type SpirvSpelling =
  /** An instruction of GLSL.std.450 with the call's operands in order. */
  | { kind: 'ext'; name: string | ByScalar }
  /** A core instruction with the call's operands in order; `swap` reverses them. */
  | { kind: 'op'; name: string | ByScalar; capability?: string; extension?: string; swap?: boolean }
  /** Subgroup instruction: execution scope operand first, then `operation` if there is one, then the operands. */
  | { kind: 'group'; name: string | ByScalar; operation?: 'Reduce' | 'InclusiveScan' | 'ExclusiveScan'; capability: string }
  /**
   * Image instruction. Operand roles come from the parameter names of the overload: sampler, location, offset, offset1..4, bias,
   * lod, ddx, ddy, compareValue, clamp, status, sampleIndex, component.
   */
  | { kind: 'image'; op: ImageOperation }
  /** OpAtomic... on operand 0 (a pointer; for methods of byte address buffers made by the lowering), device or workgroup scope by its space. */
  | { kind: 'atomic'; op: ByScalar | string }
  /** OpControlBarrier / OpMemoryBarrier. */
  | { kind: 'barrier'; execution: boolean; memory: 'workgroup' | 'device' | 'all' }
  /** Written out in spirv/instructions.ts under this name. */
  | { kind: 'special'; name: string };

export type ImageOperation =
  | 'sample' | 'sample-bias' | 'sample-grad' | 'sample-lod' | 'sample-cmp' | 'sample-cmp-lod' | 'sample-cmp-bias' | 'sample-cmp-grad'
  | 'gather' | 'gather-cmp' | 'fetch' | 'query-size' | 'query-lod' | 'query-lod-unclamped';

/** An argument as the checker sees it. */
export interface CallArgument { type: Type; lvalue: boolean }

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
