/** Puts what the parser could have used into human words. */

const statementKeyword = 'if';
const declarationKeyword = 'cbuffer';
/** Things that end something, in the order in which they are the likeliest to be missing. */
const closers = [';', ')', ']', '}', ':', '>'];

/**
 * `names` are terminals of the grammar that would have been accepted; `closer` is what closes the innermost bracket that
 * is open there, or `;`. Undefined if there is too much to name.
 */
export function describeExpected(names: ReadonlySet<string>, closer: string): string | undefined {
  const startsExpression = names.has('INT') && names.has('(');
  if (!startsExpression && names.has(closer)) return quote(closer);
  if (names.has(statementKeyword)) return 'a statement';
  if (names.has(declarationKeyword)) return 'a declaration';
  if (startsExpression) return 'an expression';
  if (names.has('TYPE') && names.has('struct')) return 'a type';
  if (names.has('IDENT')) return 'a name';
  // With '>=' beside it, '>' is an operator.
  const closing = closers.find((text) => names.has(text) && !(text === '>' && names.has('>=')));
  if (closing && names.size > 3) return quote(closing);
  if (names.size === 0 || names.size > 3) return undefined;
  const list = [...names].map(spell);
  const last = list.pop()!;
  return list.length ? `${list.join(', ')} or ${last}` : last;
}

export function quote(text: string): string {
  return `'${text}'`;
}

function spell(name: string): string {
  switch (name) {
    case 'INT':
      return 'an integer';
    case 'FLOAT':
      return 'a number';
    case 'STRING':
      return 'a string';
    case 'TYPE':
      return 'a type';
    case '>_':
      return quote('>');
    default:
      return quote(name);
  }
}
