/**
 * A row per opcode: what it takes, what it gives, what it does besides. Arithmetic, comparisons and conversions work on
 * scalars, vectors and matrices component by component; both operands have the same type. Targets that lack
 * matrix arithmetic split it in their legalize passes.
 *
 * | opcode | meaning |
 * | --- | --- |
 * | `rem` | remainder with the sign of the dividend, ints and floats (HLSL `%`) |
 * | `shl`, `shr` | shift count is taken modulo the width; `shr` is arithmetic for signed types |
 * | `not` | bitwise complement of integers; `logical_not` of bools |
 * | comparisons | give bool of the same shape; floats: ordered, except `not_equal`, which is true for NaN |
 * | `select` | condition (bool, or bool vector of the same shape), value if true, value if false; both are evaluated |
 * | `convert` | numeric conversion to the result's element type, shape unchanged; float to int truncates; bool from number is `!= 0` |
 * | `bitcast` | same bits, other scalar type; shape unchanged. Also 64-bit scalars from and to two-component 32-bit vectors |
 * | `construct` | vector from scalars; matrix from row vectors; array and struct from their parts. One operand per part |
 * | `splat` | vector or matrix from one scalar |
 * | `extract`, `insert` | part of a value by the constant path `indices`; insert: aggregate, new part |
 * | `extract_dynamic`, `insert_dynamic` | vector component by a run-time index; insert: vector, component, index |
 * | `swizzle` | vector (or scalar if one) from the components `indices` of one vector |
 * | `shuffle` | vector from the components `indices` of two vectors end to end; `compose`: vector from scalars and vectors in order; `scale`: a float vector or matrix times a scalar. Made by legalize passes |
 * | `var` | a new variable of the function; result is pointer<function, T>. Stands at the head of the function's body block only. An operand, if present, does not exist: stores initialize |
 * | `access` | pointer to a part: pointer, then one index per step (struct members: constants). Steps into structs, arrays, vectors, matrices (row, then column) and arrays of resources |
 * | `buffer_pointer` | pointer to the contents of a buffer: (ConstantBuffer) gives pointer<uniform, T>; (StructuredBuffer and kin, index) gives pointer<storage, T>; (ByteAddressBuffer, word index) gives pointer<storage, uint> |
 * | `counter_pointer` | pointer<storage, int> to the hidden counter of a structured buffer |
 * | `texel` | pointer<texel, T> to one element of a texture or typed buffer: (resource, coordinate [, mip or sample]). `load` gives the element type, `store` writes it; atomics take it |
 * | `intrinsic` | call of the row `intrinsic`; resource operands are pointers<resource, ...> |
 * | `call` | call of `callee` |
 * | `if` | bool operand; blocks then, else; leaves by `yield` |
 * | `switch` | int or uint operand; blocks leave by `yield` or `break` (values) or go on to the next block by `fallthrough` |
 * | `loop` | operands enter the body's parameters; `continue` values enter the continuing block's; `repeat` the body's again |
 * | `repeat_if` | only at the end of a continuing block: repeats if the operand is true, else leaves the loop (do-while) |
 * | `discard` | demotes the pixel's invocation: no later write of it is seen; execution goes on |
 * | `debug_declare` | the operand (pointer) is the memory of `variable` from here to the end of its scope |
 * | `debug_value` | `variable` (or its part `indices`) has the operand's value from here on |
 */
type Effects = 'none' | 'reads' | 'writes' | 'control' | 'call' | 'debug';

export interface OpcodeRow {
  /** Number of operands; [least, most]. */
  operands: readonly [number, number];
  /** Results: `same` as operand 0, `bool` of operand 0's shape, `given` by the builder's caller, or none. */
  result: 'same' | 'bool' | 'given' | 'none' | 'many';
  effects: Effects;
  commutes?: boolean;
  terminator?: boolean;
}

const unary: OpcodeRow = { operands: [1, 1], result: 'same', effects: 'none' };
const binary: OpcodeRow = { operands: [2, 2], result: 'same', effects: 'none' };
const commutative: OpcodeRow = { ...binary, commutes: true };
const comparison: OpcodeRow = { operands: [2, 2], result: 'bool', effects: 'none' };
const terminator: OpcodeRow = {
  operands: [0, Infinity],
  result: 'none',
  effects: 'control',
  terminator: true,
};

export const opcodes = {
  add: commutative,
  sub: binary,
  mul: commutative,
  div: binary,
  rem: binary,
  neg: unary,
  and: commutative,
  or: commutative,
  xor: commutative,
  not: unary,
  shl: binary,
  shr: binary,
  logical_and: commutative,
  logical_or: commutative,
  logical_not: unary,
  equal: { ...comparison, commutes: true },
  not_equal: { ...comparison, commutes: true },
  less: comparison,
  less_equal: comparison,
  greater: comparison,
  greater_equal: comparison,
  select: { operands: [3, 3], result: 'given', effects: 'none' },
  convert: { operands: [1, 1], result: 'given', effects: 'none' },
  bitcast: { operands: [1, 1], result: 'given', effects: 'none' },
  construct: { operands: [0, Infinity], result: 'given', effects: 'none' },
  splat: { operands: [1, 1], result: 'given', effects: 'none' },
  extract: { operands: [1, 1], result: 'given', effects: 'none' },
  insert: { operands: [2, 2], result: 'same', effects: 'none' },
  extract_dynamic: { operands: [2, 2], result: 'given', effects: 'none' },
  insert_dynamic: { operands: [3, 3], result: 'same', effects: 'none' },
  swizzle: { operands: [1, 1], result: 'given', effects: 'none' },
  shuffle: { operands: [2, 2], result: 'given', effects: 'none' },
  compose: { operands: [2, 4], result: 'given', effects: 'none' },
  scale: { operands: [2, 2], result: 'same', effects: 'none' },
  var: { operands: [0, 0], result: 'given', effects: 'none' },
  access: { operands: [2, Infinity], result: 'given', effects: 'none' },
  buffer_pointer: { operands: [1, 2], result: 'given', effects: 'none' },
  counter_pointer: { operands: [1, 1], result: 'given', effects: 'none' },
  texel: { operands: [2, 3], result: 'given', effects: 'none' },
  load: { operands: [1, 1], result: 'given', effects: 'reads' },
  store: { operands: [2, 2], result: 'none', effects: 'writes' },
  intrinsic: { operands: [0, Infinity], result: 'given', effects: 'call' },
  call: { operands: [0, Infinity], result: 'given', effects: 'call' },
  discard: { operands: [0, 0], result: 'none', effects: 'writes' },
  if: { operands: [1, 1], result: 'many', effects: 'control' },
  switch: { operands: [1, 1], result: 'many', effects: 'control' },
  loop: { operands: [0, Infinity], result: 'many', effects: 'control' },
  yield: terminator,
  break: terminator,
  continue: terminator,
  fallthrough: terminator,
  repeat: terminator,
  repeat_if: { ...terminator, operands: [1, Infinity] },
  return: { ...terminator, operands: [0, 1] },
  unreachable: { ...terminator, operands: [0, 0] },
  debug_declare: { operands: [1, 1], result: 'none', effects: 'debug' },
  debug_value: { operands: [1, 1], result: 'none', effects: 'debug' },
} as const satisfies Record<string, OpcodeRow>;

export type Opcode = keyof typeof opcodes;
