/**
 * Decides which names are types, between the tokens and the parser, so that the grammar can tell casts, declarations
 * and template arguments from expressions. One linear pass with scopes by braces:
 *
 * - `struct|class|interface|enum X`, `typedef .. X;`, `using X =` and `typename|class X` in `template<..>` make X a type;
 * - `<type> X` followed by a token that can follow a declared name makes X a variable or function, which hides a type X
 *   until its scope closes (parameters: until the function's body closes);
 * - what follows `.` is a member, never a type.
 *
 * The grammar takes either kind where a name is declared, so a wrong guess there does no harm.
 */
import { kindNames } from '../preprocess/kinds.gen.ts';
import type { Tokens } from '../preprocess/token.ts';
import { isBuiltinType } from './builtin-types.ts';

const kindOf = new Map(kindNames.map((name, kind) => [name, kind]));
const K = (name: string): number => {
  const kind = kindOf.get(name);
  if (kind === undefined) throw new Error(`the grammar has no terminal '${name}'`);
  return kind;
};
const IDENT = K('IDENT');
const TYPE = K('TYPE');
const openBrace = K('{');
const closeBrace = K('}');
const openParenthesis = K('(');
const closeParenthesis = K(')');
const semicolon = K(';');
const equals = K('=');
const comma = K(',');
const colon = K(':');
const scope = K('::');
const dot = K('.');
const openBracket = K('[');
const closeBracket = K(']');
const less = K('<');
const greater = K('>');
const gluedGreater = K('>_');
const typedefKind = K('typedef');
const usingKind = K('using');
const namespaceKind = K('namespace');
const templateKind = K('template');
const typenameKind = K('typename');
const classKind = K('class');
const constKind = K('const');
const recordKinds = new Set([K('struct'), classKind, K('interface'), K('enum')]);
const bufferKinds = new Set([K('cbuffer'), K('tbuffer')]);
/** What may follow a declared name, a parameter list apart. */
const afterName = new Set([equals, semicolon, comma, closeParenthesis, colon, openBracket]);

interface Change {
  name: string;
  before: boolean | undefined;
}

/** A copy of `tokens.kinds` in which each name is IDENT or TYPE. */
export function classifyTypeNames(tokens: Tokens): Uint8Array {
  const { count, texts } = tokens;
  const kinds = tokens.kinds.slice(0, count + 1);
  const names = new NameScopes();
  const statement = new StatementState();
  for (let i = 0; i < count; i++) {
    const kind = kinds[i]!;
    if (kind !== IDENT && kind !== TYPE) {
      if (kind === typenameKind) statement.afterTypename = true;
      else if (kind !== scope) statement.afterTypename = false;
      punctuation(kind, kinds, i, names, statement);
      continue;
    }
    const name = texts[i]!;
    const previous = i > 0 ? kinds[i - 1]! : 0;
    const next = kinds[i + 1]!;
    if (previous === dot) {
      kinds[i] = IDENT;
      continue;
    }
    if (recordKinds.has(previous) || previous === typenameKind) {
      // In `template<class T>` the name belongs to what follows; `typename T::X` declares nothing.
      if (statement.templateDepth > 0) names.setPending(name, true);
      else if (previous !== typenameKind) names.set(name, true);
    } else if (previous === usingKind && next === equals) names.set(name, true);
    else if (statement.declaresTypedef(previous, next)) names.set(name, true);
    else if (hides(names, name, kinds, i, statement)) {
      if (statement.parentheses > 0) names.setPending(name, false);
      else names.set(name, false);
    }
    const member = previous === scope && (statement.afterTypename || names.everType(name));
    kinds[i] = member || names.isType(name) ? TYPE : IDENT;
  }
  return kinds;
}

/** Whether the name at `i`, a type so far, is declared here as something else. */
function hides(
  names: NameScopes,
  name: string,
  kinds: Uint8Array,
  i: number,
  statement: StatementState,
): boolean {
  if (!names.isType(name)) return false;
  let before = i - 1;
  while (before >= 0 && kinds[before] === constKind) before--;
  const previous = before >= 0 ? kinds[before]! : 0;
  const next = kinds[i + 1]!;
  if (previous === TYPE)
    return afterName.has(next) || (next === openParenthesis && statement.parentheses === 0);
  return (
    (previous === greater || previous === gluedGreater) &&
    afterName.has(next) &&
    statement.templateDepth === 0
  );
}

function punctuation(
  kind: number,
  kinds: Uint8Array,
  i: number,
  names: NameScopes,
  statement: StatementState,
): void {
  switch (kind) {
    case openBrace:
      names.open(statement.transparent);
      statement.enterBlock();
      break;
    case closeBrace:
      names.close();
      statement.leaveBlock();
      break;
    case semicolon:
      if (statement.parentheses === 0) {
        names.dropPending();
        statement.end();
      }
      break;
    case openParenthesis:
      statement.parentheses++;
      break;
    case closeParenthesis:
      if (statement.parentheses > 0) statement.parentheses--;
      break;
    case less:
      if (statement.templateDepth > 0 || kinds[i - 1] === templateKind) statement.templateDepth++;
      else if (statement.inTypedef) statement.angles++;
      break;
    case greater:
    case gluedGreater:
      if (statement.templateDepth > 0) statement.templateDepth--;
      else if (statement.angles > 0) statement.angles--;
      break;
    case typedefKind:
      statement.startTypedef();
      break;
    case namespaceKind:
      statement.transparent = true;
      break;
    default:
      if (bufferKinds.has(kind)) statement.transparent = true;
  }
}

/** Which names are types now, with what to restore when a scope closes. */
class NameScopes {
  /** What the source says; for other names, HLSL's own types. */
  readonly #types = new Map<string, boolean>();
  readonly #ever = new Set<string>();
  /** One list of changes per open brace; a namespace or buffer shares its parent's. */
  readonly #scopes: Change[][] = [[]];
  /** Parameters: they belong to the block that follows. */
  #pending: Change[] = [];

  isType(name: string): boolean {
    let isType = this.#types.get(name);
    if (isType === undefined) {
      isType = isBuiltinType(name);
      this.#types.set(name, isType);
    }
    return isType;
  }

  /** Whether the name was a type in any scope: then it may be one after `::`. */
  everType(name: string): boolean {
    return this.#ever.has(name);
  }

  set(name: string, type: boolean): void {
    this.#change(this.#scopes.at(-1)!, name, type);
  }

  setPending(name: string, type: boolean): void {
    this.#change(this.#pending, name, type);
  }

  open(transparent: boolean): void {
    this.#scopes.push(transparent ? this.#scopes.at(-1)! : this.#pending);
    if (!transparent) this.#pending = [];
  }

  close(): void {
    if (this.#scopes.length === 1) return;
    const closed = this.#scopes.pop()!;
    if (closed !== this.#scopes.at(-1)) this.#restore(closed);
  }

  dropPending(): void {
    this.#restore(this.#pending);
  }

  #change(changes: Change[], name: string, type: boolean): void {
    const before = this.#types.get(name);
    if (type) this.#ever.add(name);
    if (before === type) return;
    changes.push({ name, before });
    this.#types.set(name, type);
  }

  #restore(changes: Change[]): void {
    for (let change = changes.pop(); change; change = changes.pop()) {
      if (change.before === undefined) this.#types.delete(change.name);
      else this.#types.set(change.name, change.before);
    }
  }
}

/** Where in a declaration or statement the pass stands. */
class StatementState {
  parentheses = 0;
  /** Open `<` of `template<`. */
  templateDepth = 0;
  /** Open `<` of a typedef's type. */
  angles = 0;
  /** The next `{` opens a namespace or buffer: what it declares stays visible after it. */
  transparent = false;
  /** In `typename A::B`: each part is a type. */
  afterTypename = false;
  #depth = 0;
  #typedefDepth = -1;
  readonly #outer: number[] = [];

  get inTypedef(): boolean {
    return this.#typedefDepth === this.#depth;
  }

  startTypedef(): void {
    this.#typedefDepth = this.#depth;
    this.angles = 0;
  }

  /** A name in a typedef before `;`, `,` or `[` and after a type is one that it declares. */
  declaresTypedef(previous: number, next: number): boolean {
    if (!this.inTypedef || this.angles > 0) return false;
    if (next !== semicolon && next !== comma && next !== openBracket) return false;
    return (
      previous === TYPE ||
      previous === IDENT ||
      previous === greater ||
      previous === gluedGreater ||
      previous === closeBrace ||
      previous === comma ||
      previous === constKind ||
      previous === closeBracket
    );
  }

  enterBlock(): void {
    this.#depth++;
    this.#outer.push(this.parentheses);
    this.parentheses = 0;
    this.templateDepth = 0;
    this.transparent = false;
  }

  leaveBlock(): void {
    if (this.#depth > 0) this.#depth--;
    this.parentheses = this.#outer.pop() ?? 0;
    if (this.#typedefDepth > this.#depth) this.#typedefDepth = -1;
  }

  end(): void {
    this.transparent = false;
    if (this.inTypedef) this.#typedefDepth = -1;
  }
}
