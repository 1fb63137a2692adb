/**
 * The abstract syntax tree: immutable, exactly what was written. `kind` discriminates each union. Positions: `at` is the
 * location of the first token after attributes (negative if from a macro), `end` is one past the last character (never
 * negative).
 */
import type { Location } from '../source/source-map.ts';

export interface Node {
  kind: string;
  at: Location;
  end: Location;
}

/** A name with the place where it stands. */
export interface Identifier {
  text: string;
  at: Location;
  end: Location;
}

/** `A` or `A<int>` in front of `::`. */
export interface Qualifier extends Identifier {
  templateArgs?: TemplateArg[];
}

/** `A::B::name`; `global` if it starts with `::`. */
export interface QualifiedName {
  global: boolean;
  qualifiers: Qualifier[];
  name: Identifier;
}

// ---- expressions

export type Expression =
  | IntLiteral
  | FloatLiteral
  | BoolLiteral
  | StringLiteral
  | ThisExpression
  | NameExpression
  | StaticMemberExpression
  | MemberExpression
  | IndexExpression
  | CallExpression
  | ConstructExpression
  | CastExpression
  | UnaryExpression
  | PostfixExpression
  | BinaryExpression
  | AssignExpression
  | ConditionalExpression
  | CommaExpression
  | InitializerList
  | SizeofExpression
  | SamplerStateInitializer;

/** `text` as written, suffix included; a character literal `'a'` is one too. */
export interface IntLiteral extends Node {
  kind: 'int-literal';
  text: string;
}
export interface FloatLiteral extends Node {
  kind: 'float-literal';
  text: string;
}
interface BoolLiteral extends Node {
  kind: 'bool-literal';
  value: boolean;
}
/** Adjacent strings already joined; quotes removed, escapes kept. */
interface StringLiteral extends Node {
  kind: 'string-literal';
  value: string;
}
export interface ThisExpression extends Node {
  kind: 'this';
}
/** A variable, function or enumerator; with template arguments only in front of a call. */
export interface NameExpression extends Node {
  kind: 'name';
  name: QualifiedName;
  templateArgs?: TemplateArg[];
}
/** `Type<..>::name` where the left side is a type. */
export interface StaticMemberExpression extends Node {
  kind: 'static-member';
  type: TypeExpression;
  name: Identifier;
}
/** `object.name`; also swizzles and matrix swizzles; `owner` for `object.Base::name`. */
export interface MemberExpression extends Node {
  kind: 'member';
  object: Expression;
  owner?: QualifiedName;
  name: Identifier;
  templateArgs?: TemplateArg[];
}
export interface IndexExpression extends Node {
  kind: 'index';
  object: Expression;
  index: Expression | undefined;
}
export interface CallExpression extends Node {
  kind: 'call';
  callee: Expression;
  args: Expression[];
}
/** `float3(a, b)`: a type used as a function. */
export interface ConstructExpression extends Node {
  kind: 'construct';
  type: TypeExpression;
  args: Expression[];
}
/** `(float3)a`, `(S)0`, `(int[2])x`. */
export interface CastExpression extends Node {
  kind: 'cast';
  type: TypeExpression;
  operand: Expression;
}
export interface UnaryExpression extends Node {
  kind: 'unary';
  op: '+' | '-' | '!' | '~' | '++' | '--' | '&' | '*';
  operand: Expression;
}
export interface PostfixExpression extends Node {
  kind: 'postfix';
  op: '++' | '--';
  operand: Expression;
}
export type BinaryOperator =
  | '||'
  | '&&'
  | '|'
  | '^'
  | '&'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';
export interface BinaryExpression extends Node {
  kind: 'binary';
  op: BinaryOperator;
  opAt: Location;
  left: Expression;
  right: Expression;
}
export type AssignOperator = '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '&=' | '|=' | '^=';
export interface AssignExpression extends Node {
  kind: 'assign';
  op: AssignOperator;
  opAt: Location;
  target: Expression;
  value: Expression;
}
export interface ConditionalExpression extends Node {
  kind: 'conditional';
  condition: Expression;
  whenTrue: Expression;
  whenFalse: Expression;
}
export interface CommaExpression extends Node {
  kind: 'comma';
  left: Expression;
  right: Expression;
}
/** `{ a, { b, c } }`, as an initializer or argument. */
export interface InitializerList extends Node {
  kind: 'initializer-list';
  elements: Expression[];
}
export interface SizeofExpression extends Node {
  kind: 'sizeof';
  operand: Expression | TypeExpression;
}
/** `sampler_state { Filter = ...; }` and `{ Filter = ...; }`: effect syntax, accepted and ignored as DXC does. */
export interface SamplerStateInitializer extends Node {
  kind: 'sampler-state';
}

// ---- types

export type TypeExpression = NamedType | RecordDefinition | EnumDefinition;

/**
 * A type by name: `float3`, `vector<float, 3>`, `ns::S<int>`, `unsigned int` (name `unsigned int`), `struct S`.
 * `modifiers` are those written before or after it (`const`, `row_major`, `unorm` ...); `arrays` only where a type
 * stands alone (casts, template arguments).
 */
export interface NamedType extends Node {
  kind: 'named-type';
  name: QualifiedName;
  templateArgs?: TemplateArg[];
  modifiers: Modifier[];
  arrays: ArraySize[];
}

/** `struct S : B { ... }` where a type is expected. Its members are declarations. */
export interface RecordDefinition extends Node {
  kind: 'record';
  keyword: 'struct' | 'class' | 'interface';
  attributes: Attribute[];
  /** Absent: anonymous. */
  name?: Identifier;
  /** `struct S<float> { }`: a template's specialization. */
  templateArgs?: TemplateArg[];
  bases: TypeExpression[];
  members: Declaration[];
  modifiers: Modifier[];
}

export interface EnumDefinition extends Node {
  kind: 'enum';
  scoped: boolean;
  name?: Identifier;
  base?: TypeExpression;
  enumerators: { name: Identifier; value?: Expression }[];
  modifiers: Modifier[];
}

export type TemplateArg = TypeExpression | Expression;

/** `static`, `const`, `in`, `inout`, `row_major`, `nointerpolation`, `precise`, `groupshared` ... as written. */
export interface Modifier {
  text: string;
  at: Location;
  end: Location;
}

/** `[3]`; `size` absent for `[]`. */
export interface ArraySize {
  size?: Expression;
  at: Location;
  end: Location;
}

/** One item of `[a(1), b]` or `[[vk::binding(0, 1)]]`. `name` is joined with `::`. */
export interface Attribute {
  name: string;
  args: Expression[];
  double: boolean;
  at: Location;
  end: Location;
}

/** What follows a declarator after `:`, or effect annotations `< ... >` (kind `notes`, ignored). */
export type Annotation =
  | { kind: 'semantic'; name: string; at: Location; end: Location }
  /** Arguments joined as written: `b0`, `space1`, `ps_5_0`, `t[2]`. */
  | { kind: 'register'; args: { text: string; at: Location }[]; at: Location; end: Location }
  /** `packoffset(c1.y)`: `register` is `c1`, `component` is `y`. */
  | { kind: 'packoffset'; register: string; component?: string; at: Location; end: Location }
  /** Ray payload access: `read(caller, miss)`. */
  | { kind: 'payload-access'; access: string; stages: string[]; at: Location; end: Location }
  | { kind: 'bit-width'; width: Expression; at: Location; end: Location }
  | { kind: 'notes'; at: Location; end: Location };

// ---- declarations

export type Declaration =
  | VariableDeclaration
  | FunctionDeclaration
  | BufferDeclaration
  | TypedefDeclaration
  | UsingDeclaration
  | NamespaceDeclaration
  | TemplateDeclaration
  | StaticAssertDeclaration
  | EmptyDeclaration;

/**
 * Variables of one declaration, also struct members, and type definitions: `struct S { } a, b;` has type RecordDefinition
 * and two declarators, `struct S { };` none. A modifier after the type (`float const x`) is among `modifiers`, too, never
 * in `type.modifiers`.
 */
export interface VariableDeclaration extends Node {
  kind: 'variables';
  attributes: Attribute[];
  modifiers: Modifier[];
  type: TypeExpression;
  declarators: Declarator[];
}

export interface Declarator {
  /** Qualifiers only for definitions of static members outside the struct. */
  name: QualifiedName;
  /** `v<float> = ...`: a variable template's specialization. */
  templateArgs?: TemplateArg[];
  arrays: ArraySize[];
  /** `[[...]]` written after the name. */
  attributes?: Attribute[];
  annotations: Annotation[];
  init?: Expression;
  at: Location;
  end: Location;
}

export interface FunctionDeclaration extends Node {
  kind: 'function';
  attributes: Attribute[];
  modifiers: Modifier[];
  returnType: TypeExpression;
  /** Qualifiers for `S::f` definitions. Operators are named `operator+`, `operator()`, `operator[]`. */
  name: QualifiedName;
  /** `f<float>(...)`: a function template's specialization. */
  templateArgs?: TemplateArg[];
  parameters: Parameter[];
  /** `float f()[4]` returns an array. */
  arrays?: ArraySize[];
  /** Semantic of the return value. */
  annotations: Annotation[];
  constMethod: boolean;
  /** Absent: a prototype. */
  body?: BlockStatement;
}

export interface Parameter extends Node {
  kind: 'parameter';
  attributes: Attribute[];
  modifiers: Modifier[];
  type: TypeExpression;
  /** Absent: unnamed. */
  declarator?: Declarator;
}

/** `cbuffer B : register(b0) { ... }` and `tbuffer`. */
export interface BufferDeclaration extends Node {
  kind: 'buffer';
  keyword: 'cbuffer' | 'tbuffer';
  attributes: Attribute[];
  name: Identifier;
  annotations: Annotation[];
  members: Declaration[];
}

export interface TypedefDeclaration extends Node {
  kind: 'typedef';
  modifiers: Modifier[];
  type: TypeExpression;
  declarators: Declarator[];
}
/** `using A = T;` has `alias` and `type`; `using namespace N;` has `namespace`; `using N::x;` has `name`. */
export interface UsingDeclaration extends Node {
  kind: 'using';
  alias?: Identifier;
  type?: TypeExpression;
  namespace?: QualifiedName;
  name?: QualifiedName;
}
export interface NamespaceDeclaration extends Node {
  kind: 'namespace';
  name?: QualifiedName;
  members: Declaration[];
}
export interface TemplateParameter {
  kind: 'type' | 'value';
  name?: Identifier;
  /** Of a value parameter. */
  type?: TypeExpression;
  default?: TemplateArg;
  at: Location;
  end: Location;
}
export interface TemplateDeclaration extends Node {
  kind: 'template';
  parameters: TemplateParameter[];
  declaration: Declaration;
}
export interface StaticAssertDeclaration extends Node {
  kind: 'static-assert';
  condition: Expression;
  message: string;
}
/** `;`, and what effect files hold besides (`technique`): accepted and ignored as DXC does. */
export interface EmptyDeclaration extends Node {
  kind: 'empty';
}

// ---- statements

export type Statement =
  | BlockStatement
  | IfStatement
  | ForStatement
  | WhileStatement
  | DoStatement
  | SwitchStatement
  | CaseLabel
  | DefaultLabel
  | ReturnStatement
  | JumpStatement
  | DeclarationStatement
  | ExpressionStatement
  | EmptyStatement;

interface StatementNode extends Node {
  attributes: Attribute[];
}
/** `end` is one past the closing brace. */
export interface BlockStatement extends StatementNode {
  kind: 'block';
  statements: Statement[];
}
/** A condition may declare a variable: `if (float d = f())`. */
export type Condition = Expression | VariableDeclaration;
export interface IfStatement extends StatementNode {
  kind: 'if';
  condition: Condition;
  then: Statement;
  else?: Statement;
}
export interface ForStatement extends StatementNode {
  kind: 'for';
  init?: Statement;
  condition?: Condition;
  step?: Expression;
  body: Statement;
}
export interface WhileStatement extends StatementNode {
  kind: 'while';
  condition: Condition;
  body: Statement;
}
export interface DoStatement extends StatementNode {
  kind: 'do';
  body: Statement;
  condition: Expression;
}
export interface SwitchStatement extends StatementNode {
  kind: 'switch';
  selector: Condition;
  body: Statement;
}
/** Labels are statements of their own, as they may stand anywhere in a switch's body. */
export interface CaseLabel extends StatementNode {
  kind: 'case';
  value: Expression;
}
export interface DefaultLabel extends StatementNode {
  kind: 'default';
}
export interface ReturnStatement extends StatementNode {
  kind: 'return';
  value?: Expression;
}
export interface JumpStatement extends StatementNode {
  kind: 'break' | 'continue' | 'discard';
}
export interface DeclarationStatement extends StatementNode {
  kind: 'declaration';
  declaration: Declaration;
}
export interface ExpressionStatement extends StatementNode {
  kind: 'expression';
  expression: Expression;
}
export interface EmptyStatement extends StatementNode {
  kind: 'empty';
}

/** A whole translation unit. */
export interface Unit {
  declarations: Declaration[];
  end: Location;
}
