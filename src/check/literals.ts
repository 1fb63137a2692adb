/** Numbers as they are written. Without a suffix they are `literal int` and `literal float` until their use decides. */

import { convertScalar } from '../ir/arithmetic.ts';
import { InternalError } from '../source/diagnostic.ts';
import type { FloatLiteral, IntLiteral } from '../syntax/ast.ts';
import { doubleType, floatType, intType, literalFloat, literalInt, scalar, uintType } from '../types/type.ts';
import type { Context } from './context.ts';
import { errorExpression } from './conversions.ts';
import type { TypedExpression } from './program.ts';

/** `12`, `0x1Fu`, `017`, `'a'`, with suffixes u, l, ll in either case. `l` alone says nothing: a long is an int. */
export function checkIntLiteral(context: Context, literal: IntLiteral): TypedExpression {
  const { at, end, text } = literal;
  if (text.startsWith("'"))
    return {
      kind: 'constant',
      type: context.options.languageVersion > 2021 ? intType : literalInt,
      value: characterValue(text),
      at,
      end,
    };
  let digitsEnd = text.length;
  while ('uUlL'.includes(text[digitsEnd - 1]!)) digitsEnd--;
  const digits = text.slice(0, digitsEnd);
  const suffix = text.slice(digitsEnd).toLowerCase();
  const isDecimal = !digits.startsWith('0');
  // The second character of `017` is a digit, that of `0x17` a letter.
  const isOctal = !isDecimal && digits.length > 1 && digits[1]! <= '9';
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  if (value > 0xffffffffffffffffn) {
    context.log.report('integer-too-large', at, { text }, end);
    return errorExpression(literal);
  }
  if (context.options.languageVersion > 2021) return fixedInteger(context, literal, value, suffix, isDecimal);
  if (suffix === '') return { kind: 'constant', type: literalInt, value: BigInt.asIntN(64, value), at, end };
  const unsigned = suffix.includes('u');
  const type = suffix.includes('ll')
    ? scalar(unsigned ? 'uint64_t' : 'int64_t')
    : unsigned || !isDecimal
      ? uintType
      : intType;
  return { kind: 'constant', type, value: convertScalar(value, type, false), at, end };
}

/** From 202x on a number has the first type of its row that holds it, as in C++; a long has 64 bits. */
function fixedInteger(
  context: Context,
  literal: IntLiteral,
  value: bigint,
  suffix: string,
  decimal: boolean,
): TypedExpression {
  const { at, end } = literal;
  const isLong = suffix.includes('l');
  const isUnsigned = suffix.includes('u');
  const rows = [
    { type: intType, bits: 31n, fits: !isLong && !isUnsigned },
    { type: uintType, bits: 32n, fits: !isLong && (isUnsigned || !decimal) },
    { type: scalar('int64_t'), bits: 63n, fits: !isUnsigned },
    // Out of the order for decimal numbers, as clang has it: it is how the smallest number is written.
    { type: scalar('uint64_t'), bits: 64n, fits: true },
  ];
  const row = rows.find(({ bits, fits }) => fits && value < 1n << bits);
  if (!row) {
    context.log.report('integer-too-large', at, { text: literal.text }, end);
    return errorExpression(literal);
  }
  return { kind: 'constant', type: row.type, value: convertScalar(value, row.type, false), at, end };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

function characterValue(text: string): bigint {
  const inner = text.slice(1, -1);
  const letter = inner[1] ?? '';
  const character = inner.startsWith('\\') ? (escapes[letter] ?? letter) : inner;
  return BigInt(character.codePointAt(0) ?? 0);
}

const floatSuffixes = ['f', 'h', 'l', 'f16', 'f32', 'f64'];

/** `1.5`, `1e3f`, `1.0h`, `1.0l`, `0x1.8p3`, and `1.#INF` as DXC prints it. */
export function checkFloatLiteral(context: Context, literal: FloatLiteral): TypedExpression {
  const { at, end, text } = literal;
  const { enable16BitTypes } = context.options;
  const written = text.toLowerCase();
  const suffix = written.endsWith('#inf') ? undefined : floatSuffixes.find((each) => written.endsWith(each));
  const number = numberValue(suffix === undefined ? written : written.slice(0, -suffix.length));
  if (Number.isNaN(number)) throw new InternalError(`the lexer let '${text}' pass`, at);
  switch (suffix) {
    case 'f':
    case 'f32':
      return { kind: 'constant', type: floatType, value: Math.fround(number), at, end };
    case 'h':
    case 'f16': {
      const type = scalar(enable16BitTypes ? 'half' : 'float');
      return { kind: 'constant', type, value: convertScalar(number, type, enable16BitTypes), at, end };
    }
    case 'l':
    case 'f64':
      return { kind: 'constant', type: doubleType, value: number, at, end };
    default: {
      const fixed = context.options.languageVersion > 2021;
      const value = fixed ? Math.fround(number) : number;
      return { kind: 'constant', type: fixed ? floatType : literalFloat, value, at, end };
    }
  }
}

/** Without a suffix, in lower case. */
function numberValue(text: string): number {
  if (text.includes('#')) return Number.POSITIVE_INFINITY;
  if (!text.startsWith('0x')) return Number(text);
  const hexadecimal = /^0x([\da-f]*)\.?([\da-f]*)p([+-]?\d+)$/.exec(text);
  if (!hexadecimal) return Number.NaN;
  const [whole, fraction, exponent] = [hexadecimal[1] ?? '', hexadecimal[2] ?? '', Number(hexadecimal[3])];
  return Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (exponent - 4 * fraction.length);
}
