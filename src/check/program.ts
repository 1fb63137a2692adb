/**
 * The typed program: the tree that `check` makes of the AST, with all meaning decided. Names are bound to symbols,
 * overloads are chosen, every conversion is a node, constants are folded where the language asks for a constant.
 * Lowering walks it and decides no meaning. `at` and `end` are as in the AST.
 */
import type { ScalarTree } from '../ir/arithmetic.ts';
import type { InterfaceVariable, ResourceBinding, Stage } from '../ir/ir.ts';
import type { Location } from '../source/source-map.ts';
import type { ArrayType, MatrixOrder, StructType, Type, VkAttribute } from '../types/type.ts';

// ---- symbols

export type VariableStorage =
  | 'local'
  | 'parameter'
  /** `static` outside functions, or a `static` local (initialized once, before the entry's first statement). */
  | 'static'
  | 'groupshared'
  /** A handle, an array of handles, or a `ConstantBuffer<T>`; also a struct that holds only handles is split into these. */
  | 'resource'
  /** A whole cbuffer, tbuffer, `$Globals` or push constant block. Names of its members become `member` of it. */
  | 'buffer'
  | 'spec-constant';

/** A namespace that something stands in, with those around it. */
export interface Namespace {
  name: string;
  /** Of the name, where it was opened first. */
  at: Location;
  parent?: Namespace;
}

export interface VariableSymbol {
  kind: 'variable';
  name: string;
  /** For `buffer`: ConstantBuffer or TextureBuffer of the struct of its members (push constants: the struct). */
  type: Type;
  storage: VariableStorage;
  constant: boolean;
  precise: boolean;
  /** Of the name. */
  at: Location;
  end: Location;
  /**
   * resource: a global of struct type whose members are all handles is split into one variable for each member
   * (for each element, if it is an array of such structs), parallel to the parts of its type; those have the bindings.
   */
  parts?: VariableSymbol[];
  /** Statics and constants: the initializer, already converted to `type`. Locals have theirs in the statement. */
  init?: TypedExpression;
  /** Value of a `const` whose initializer is a constant expression. */
  value?: ConstantValue;
  /** Of an input that SPIR-V knows: the number of the built-in. Each use reads it. */
  builtinInput?: number;
  /** Of a string, which is no value: it may only stand in calls that take one. */
  text?: string;
  /** parameters */
  mode?: 'in' | 'out' | 'inout';
  /** resource: it stands for all elements of its type in a descriptor heap. */
  heap?: 'resource' | 'sampler';
  /** resource, buffer */
  binding?: ResourceBinding;
  coherent?: boolean;
  pushConstant?: boolean;
  specId?: number;
  attributes: readonly VkAttribute[];
  /** Statics outside functions. */
  namespace?: Namespace;
  /** Static locals: the function they stand in (for debug scopes). */
  owner?: FunctionSymbol;
  /** For loose matrices in memory of their own. */
  matrixOrder?: MatrixOrder;
}

/** One element per part, in order; a matrix holds its rows. A `literal int` is a bigint until its use decides. */
export type ConstantValue = ScalarTree;

export interface FunctionSymbol {
  kind: 'function';
  name: string;
  /** As debuggers show it: `S.f` for methods, `ns::f`. Template instances carry their arguments. */
  displayName: string;
  parameters: VariableSymbol[];
  returnType: Type;
  /** Methods that are not static: the struct; `this` is then available as a pointer-like first argument. */
  self?: StructType;
  /** Methods, static ones too. */
  struct?: StructType;
  namespace?: Namespace;
  /** Absent: declared and never defined; calling it is an error. Checked lazily, so filled when the function is used. */
  body?: TypedBlock;
  /** First token of the declaration (return type), for DebugFunction. */
  at: Location;
  end: Location;
  /** The name. */
  nameAt: Location;
  /** Evaluated attributes: numthreads, earlydepthstencil, noinline, `vk::...`. */
  attributes: readonly VkAttribute[];
  precise: boolean;
}

export interface Program {
  /** In order of declaration. Only those that some function reaches from the entry or that keep a binding. */
  globals: VariableSymbol[];
  entry: EntrySymbol;
  enable16BitTypes: boolean;
}

export interface EntrySymbol {
  function: FunctionSymbol;
  stage: Stage;
  /** Name for OpEntryPoint. */
  name: string;
  threadGroupSize?: readonly [number, number, number];
  earlyDepthStencil?: boolean;
  depthMode?: 'any' | 'greater' | 'less';
  /** Parallel to `function.parameters`: how each is made of interface variables. `in` uses the input, `out` the output side. */
  parameters: { input?: InterfaceNode; output?: InterfaceNode }[];
  result?: InterfaceNode;
  attributes: readonly VkAttribute[];
}

/** How a parameter or result is made of the stage's interface variables. */
export type InterfaceNode =
  | { kind: 'leaf'; variable: InterfaceVariable }
  /** Members in order; `undefined` for one that has no interface (an unused resource member). */
  | { kind: 'struct'; type: StructType; members: (InterfaceNode | undefined)[] }
  | { kind: 'array'; type: ArrayType; elements: InterfaceNode[] };

// ---- expressions

interface TypedNode {
  type: Type;
  at: Location;
  end: Location;
}

export type TypedExpression =
  | ConstantExpression
  | VariableExpression
  | ThisExpression
  | MemberExpression
  | SwizzleExpression
  | MatrixSwizzleExpression
  | IndexExpression
  | BufferElementExpression
  | TexelExpression
  | ConvertExpression
  | ConstructExpression
  | FlattenExpression
  | FillExpression
  | UnaryExpression
  | BinaryExpression
  | LogicalExpression
  | ConditionalExpression
  | AssignExpression
  | CompoundAssignExpression
  | IncrementExpression
  | CommaExpression
  | CallExpression
  | IntrinsicExpression;

/** Any type without opaque parts. Literals have been given their final type. */
export interface ConstantExpression extends TypedNode {
  kind: 'constant';
  value: ConstantValue;
  /** Of a string, whose `value` says nothing. */
  text?: string;
}
export interface VariableExpression extends TypedNode {
  kind: 'variable';
  symbol: VariableSymbol;
}
/** The object a method was called on: an lvalue of the struct. */
export interface ThisExpression extends TypedNode {
  kind: 'this';
}
/** Member `index` of a struct, cbuffer contents included (then `object` is a BufferElement without index). */
export interface MemberExpression extends TypedNode {
  kind: 'member';
  object: TypedExpression;
  index: number;
  /** Of a `const` in `$Globals`: what counts where the language asks for a constant; at run time the buffer's contents do. */
  known?: ConstantValue;
}
/** `v.xzy`: components 0 to 3. The object may be a scalar (all components 0). One component gives a scalar. */
export interface SwizzleExpression extends TypedNode {
  kind: 'swizzle';
  object: TypedExpression;
  components: number[];
}
/** `m._m01_m10`: zero-based row and column. */
export interface MatrixSwizzleExpression extends TypedNode {
  kind: 'matrix-swizzle';
  object: TypedExpression;
  components: { row: number; column: number }[];
}
/** Element of an array, component of a vector, row of a matrix, resource of an array of resources. The index is int or uint. */
export interface IndexExpression extends TypedNode {
  kind: 'index';
  object: TypedExpression;
  index: TypedExpression;
}
/** Contents of a buffer object: a whole ConstantBuffer (no index) or element `index` of a structured buffer. */
export interface BufferElementExpression extends TypedNode {
  kind: 'buffer-element';
  object: TypedExpression;
  index?: TypedExpression;
}
/** `tex[coordinate]`, `tex.mips[level][coordinate]`, `tex.sample[level][coordinate]`, `buf[i]`. */
export interface TexelExpression extends TypedNode {
  kind: 'texel';
  object: TypedExpression;
  coordinate: TypedExpression;
  level?: TypedExpression;
}
/**
 * Conversion of a value to `type`, implicit or by a cast:
 * `numeric`: element type changes, shape stays (enum to and from integer too); `splat`: scalar to vector or matrix of the same
 * element; `truncate`: to fewer components or rows and columns; `reshape`: vector and matrix (or matrices of other shape) with the
 * same number of components, row by row; `upcast`: derived struct to its base. A change of both element and shape is two nodes.
 */
export interface ConvertExpression extends TypedNode {
  kind: 'convert';
  conversion: 'numeric' | 'splat' | 'truncate' | 'reshape' | 'upcast';
  operand: TypedExpression;
  implicit: boolean;
}
/** Vector or matrix from numeric arguments whose components, in order, fill it; each has the element type already. */
export interface ConstructExpression extends TypedNode {
  kind: 'construct';
  args: TypedExpression[];
}
/**
 * An aggregate (or vector, matrix) from the leaves of `sources` in order, each leaf converted to the leaf it lands on:
 * initializer lists and casts between structs, arrays and vectors. Extra leaves of a cast are dropped.
 */
export interface FlattenExpression extends TypedNode {
  kind: 'flatten';
  sources: TypedExpression[];
}
/** `(S)0`: every leaf of the type gets the scalar `value`, converted. */
interface FillExpression extends TypedNode {
  kind: 'fill';
  value: TypedExpression;
}
export interface UnaryExpression extends TypedNode {
  kind: 'unary';
  op: '-' | '~' | '!';
  operand: TypedExpression;
}
/** Arithmetic, bits, comparison. Both operands have one type; `type` is it, or bool of its shape for comparisons. */
export interface BinaryExpression extends TypedNode {
  kind: 'binary';
  op: '|' | '^' | '&' | '==' | '!=' | '<' | '>' | '<=' | '>=' | '<<' | '>>' | '+' | '-' | '*' | '/' | '%';
  left: TypedExpression;
  right: TypedExpression;
}
/** `&&` and `||` on bool or bool vectors. `shortCircuit` by language version (scalars in 2021). */
export interface LogicalExpression extends TypedNode {
  kind: 'logical';
  op: '&&' | '||';
  shortCircuit: boolean;
  left: TypedExpression;
  right: TypedExpression;
}
/** `?:`; `shortCircuit` false: both sides are evaluated and selected by component (2018 and older, vectors). Arms have `type`. */
export interface ConditionalExpression extends TypedNode {
  kind: 'conditional';
  shortCircuit: boolean;
  condition: TypedExpression;
  whenTrue: TypedExpression;
  whenFalse: TypedExpression;
}
/** Target is an lvalue of the value's type. Gives the target's new value. */
export interface AssignExpression extends TypedNode {
  kind: 'assign';
  target: TypedExpression;
  value: TypedExpression;
}
/**
 * `target op= value`: the target is converted to `computeType`, combined with `value` (which has it; for shifts and mixed
 * shapes too), and the result converted back to the target's type.
 */
export interface CompoundAssignExpression extends TypedNode {
  kind: 'compound-assign';
  op: BinaryExpression['op'];
  target: TypedExpression;
  value: TypedExpression;
  computeType: Type;
}
export interface IncrementExpression extends TypedNode {
  kind: 'increment';
  op: '++' | '--';
  prefix: boolean;
  target: TypedExpression;
}
export interface CommaExpression extends TypedNode {
  kind: 'comma';
  left: TypedExpression;
  right: TypedExpression;
}
/** `self` is the object of a method call (an lvalue, or a value that lowering stores to a temporary). */
export interface CallExpression extends TypedNode {
  kind: 'call';
  function: FunctionSymbol;
  self?: TypedExpression;
  args: Argument[];
}
/**
 * `row` is the key in the intrinsic table. For methods the object is `args[0]`. A reference argument is an lvalue whose
 * place is passed.
 */
export interface IntrinsicExpression extends TypedNode {
  kind: 'intrinsic';
  row: string;
  /** The string that the call has as its first argument; it is not among `args`. */
  text?: string;
  args: Argument[];
  precise?: boolean;
}

export interface Argument {
  mode: 'in' | 'out' | 'inout' | 'reference';
  /**
   * in: the value, converted to the parameter's type. out, inout: an lvalue of its own type, which may differ from
   * `parameterType`: it is converted on the way in and back on the way out.
   */
  value: TypedExpression;
  parameterType: Type;
  /** Set for a default argument of the callee. */
  isDefault?: boolean;
}

// ---- statements

export type TypedStatement =
  | TypedBlock
  | VariableStatement
  | ExpressionStatement
  | IfStatement
  | LoopStatement
  | SwitchStatement
  | ReturnStatement
  | JumpStatement;

interface StatementNode {
  at: Location;
  end: Location;
}

/** A `{}`; `end` is one past the closing brace. */
export interface TypedBlock extends StatementNode {
  kind: 'block';
  statements: TypedStatement[];
}
/** One declarator. `init` has the variable's type. Opaque locals too. */
export interface VariableStatement extends StatementNode {
  kind: 'variable';
  symbol: VariableSymbol;
  init?: TypedExpression;
}
export interface ExpressionStatement extends StatementNode {
  kind: 'expression';
  expression: TypedExpression;
}
/** Conditions are scalar bool. */
export interface IfStatement extends StatementNode {
  kind: 'if';
  condition: TypedExpression;
  then: TypedStatement;
  else?: TypedStatement;
  hint?: StatementHint;
}
/**
 * All three loops. `declares`: the header declares a variable, whose scope is the loop (a block at the `for`), or leaks into
 * the enclosing block by the language version (then the statement before it declares it).
 */
export interface LoopStatement extends StatementNode {
  kind: 'for' | 'while' | 'do';
  init: TypedStatement[];
  /** A condition that declares a variable: evaluated before each turn. */
  conditionVariable?: VariableStatement;
  condition?: TypedExpression;
  step?: TypedExpression;
  body: TypedStatement;
  declares: boolean;
  hint?: StatementHint;
}
export interface SwitchStatement extends StatementNode {
  kind: 'switch';
  selector: TypedExpression;
  groups: SwitchGroup[];
  hint?: StatementHint;
}
/** Labels that share their statements, up to the next label. Falls through into the next group unless it ends in a jump. */
export interface SwitchGroup {
  labels: (number | 'default')[];
  statements: TypedStatement[];
  at: Location;
  end: Location;
}
export interface ReturnStatement extends StatementNode {
  kind: 'return';
  value?: TypedExpression;
}
export interface JumpStatement extends StatementNode {
  kind: 'break' | 'continue' | 'discard';
}

export interface StatementHint {
  kind: 'branch' | 'flatten' | 'loop' | 'unroll' | 'call' | 'forcecase' | 'allow_uav_condition';
  count?: number;
}
