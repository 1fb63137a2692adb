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
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)$/.exec(text);
  const digits = match?.[1] ?? '';
  const suffix = (match?.[2] ?? '').toLowerCase();
  const octal = /^0[0-9]+$/.test(digits);
  if (!match) throw new InternalError(`the lexer let '${text}' pass`, at);
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  if (value > 0xffffffffffffffffn) {
    context.log.report('integer-too-large', at, { text }, end);
    return errorExpression(literal);
  }
  if (context.options.languageVersion > 2021)
    return fixedInteger(context, literal, value, suffix, /^[1-9]/.test(digits));
  if (suffix === '') return { kind: 'constant', type: literalInt, value: BigInt.asIntN(64, value), at, end };
  const unsigned = suffix.includes('u');
  const type = suffix.includes('ll')
    ? scalar(unsigned ? 'uint64_t' : 'int64_t')
    : unsigned || !/^[1-9]/.test(digits)
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

/** `1.5`, `1e3f`, `1.0h`, `1.0l`, `0x1.8p3`, and `1.#INF` as DXC prints it. */
export function checkFloatLiteral(context: Context, literal: FloatLiteral): TypedExpression {
  const { at, end, text } = literal;
  const { enable16BitTypes } = context.options;
  const match = /^(0x[\da-f.]+p[+-]?\d+|[\d.]+(?:e[+-]?\d+|#inf)?)(f|h|l|f16|f32|f64)?$/.exec(
    text.toLowerCase(),
  );
  if (!match) throw new InternalError(`the lexer let '${text}' pass`, at);
  const number = numberValue(match[1]!);
  switch (match[2]) {
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

function numberValue(text: string): number {
  if (text.endsWith('#inf')) return Number.POSITIVE_INFINITY;
  const hexadecimal = /^0x([\da-f]*)\.?([\da-f]*)p([+-]?\d+)$/.exec(text);
  if (!hexadecimal) return Number(text);
  const [whole, fraction, exponent] = [hexadecimal[1] ?? '', hexadecimal[2] ?? '', Number(hexadecimal[3])];
  return Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (exponent - 4 * fraction.length);
}
