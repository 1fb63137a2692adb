import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Builder } from '../../src/ir/builder.ts';
import { constantOf, treeOf } from '../../src/ir/constants.ts';
import type { Constant, ScalarValue } from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { constfold } from '../../src/passes/constfold.ts';
import {
  boolType,
  scalar,
  scalarBits,
  scalarClass,
  type ScalarType,
  type Type,
  vector,
} from '../../src/types/type.ts';
import { binary, bitcast, convert, unary } from '../support/interpreter/arithmetic.ts';
import { normalize, shapeOf } from '../support/interpreter/value.ts';
import { bodyBehind, valueBehind } from '../support/passes.ts';

const folded = (type: string, body: string): string =>
  valueBehind(constfold, '%x: float4, %i: int', type, body);

describe('constfold', () => {
  test.each([
    ['int', '%r: int = add 2, 3', '5'],
    ['int', '%r: int = mul 65536, 65537', '65536'],
    ['uint', '%r: uint = div 7u, 0u', '4294967295u'],
    ['int', '%r: int = div 7, 0', '-1'],
    ['int', '%r: int = div -2147483648, -1', '-2147483648'],
    ['uint', '%r: uint = shl 1u, 33u', '2u'],
    ['int', '%r: int = shr -8, 1', '-4'],
    ['float', '%r: float = add 16777216.0, 1.0', '16777216.0'],
    ['float', '%r: float = div -1.0, 0.0', '-inf'],
    ['float', '%r: float = neg 0.0', '-0.0'],
    ['bool', '%r: bool = not_equal nan, nan', 'true'],
    ['bool', '%r: bool = less nan, 1.0', 'false'],
    ['bool', '%r: bool = equal -0.0, 0.0', 'true'],
    ['bool', '%r: bool = logical_and true, false', 'false'],
    ['uint', '%r: uint = convert 1e20', '4294967295u'],
    ['int', '%r: int = convert nan', '0'],
    ['uint', '%r: uint = bitcast 1.0', '1065353216u'],
    ['float', '%r: float = intrinsic "sqrt" 2.0', '1.4142135'],
    ['uint', '%r: uint = intrinsic "countbits" 255u', '8u'],
    ['float', '%r: float = intrinsic "dot" float2(1.0, 2.0), float2(3.0, 4.0)', '11.0'],
    ['float2', '%r: float2 = splat 1.0', 'float2(1.0, 1.0)'],
    ['float2', '%r: float2 = construct 1.0, 2.0', 'float2(1.0, 2.0)'],
    ['float2', '%r: float2 = swizzle float3(1.0, 2.0, 3.0) [2, 0]', 'float2(3.0, 1.0)'],
    ['float', '%r: float = extract float2x2((1.0, 2.0), (3.0, 4.0)) [1, 0]', '3.0'],
    ['float2', '%r: float2 = insert float2(1.0, 2.0), 5.0 [1]', 'float2(1.0, 5.0)'],
    ['float', '%r: float = extract_dynamic float2(1.0, 2.0), 1', '2.0'],
    ['float2', '%r: float2 = insert_dynamic float2(1.0, 2.0), 5.0, 0', 'float2(5.0, 2.0)'],
    [
      'float2',
      '%r: float2 = select bool2(true, false), float2(1.0, 2.0), float2(3.0, 4.0)',
      'float2(1.0, 4.0)',
    ],
    ['float', '%a: float2 = splat 3.0\n%b: float = extract %a [1]\n%r: float = mul %b, %b', '9.0'],
  ])('%s: %s gives %s', (type, body, expected) => {
    expect(folded(type, body)).toBe(expected);
  });

  test('parts of undefined values are undefined', () => {
    expect(folded('float', '%u: float4 = splat undef float\n%r: float = extract %u [1]')).toBe('undef float');
  });

  test.each([
    ['a NaN keeps its bits', 'float', '%r: float = bitcast 2143289345u'],
    ['an index outside', 'float', '%r: float = extract_dynamic float2(1.0, 2.0), 2'],
    ['what is not constant', 'float', '%a: float = extract %x [0]\n%r: float = add %a, 1.0'],
  ])('%s stays', (_, type, body) => {
    expect(folded(type, body)).toContain('return %r');
  });

  test('debug values get the constant; other code keeps its positions', () => {
    const text = `scope unit unit at text.ir:1:1
scope f function "f" in unit at text.ir:1:1
variable $v "v": int in f at text.ir:1:1-2`;
    expect(
      bodyBehind(constfold, '', 'int', '%r: int = add 1, 2\ndebug_value $v %r\nreturn %r', text),
    ).toEqual(['debug_value $v 3', 'return 3']);
  });

  const scalars = [
    'bool',
    'int',
    'uint',
    'float',
    'double',
    'int64_t',
    'uint64_t',
    'int16_t',
    'float16_t',
  ].map((name) => scalar(name as 'int'));
  const valuesOf = (type: ScalarType): fc.Arbitrary<ScalarValue> => {
    const shape = shapeOf(type, true);
    if (shape.class === 'bool') return fc.boolean();
    const special = fc.constantFrom(0, -0, 1, -1, 2, 31, 32, 33, 0.5, 65504, 1e30, NaN, Infinity, -Infinity);
    if (shape.class === 'float')
      return fc.oneof(special, fc.double(), fc.integer()).map((value) => normalize(value, shape));
    return fc
      .oneof(fc.bigInt(-70n, 70n), fc.bigInt(-(1n << 64n), 1n << 64n))
      .map((value) => normalize(value, shape));
  };

  /** The value that the pass puts in the place of the one instruction, undefined if it stays. */
  function fold(make: (builder: Builder) => void): Constant | undefined {
    const module = parseModule('module enable_16bit_types\nfunction f(): void {\nreturn\n}\n');
    const body = module.functions[0]!.body;
    const builder = new Builder(module).at(body.instructions[0]!.position).before(body, 0);
    make(builder);
    const made = body.instructions[0]!.results[0]!;
    const end = body.instructions[body.instructions.length - 1]!;
    end.operands = [made];
    constfold(module);
    const [value] = end.operands;
    return value?.kind === 'constant' ? value : undefined;
  }
  const plain = (value: unknown): string =>
    JSON.stringify(value, (_, part) =>
      typeof part === 'object' ? part : Object.is(part, -0) ? '-0' : String(part),
    );

  const bitwise = ['and', 'or', 'xor', 'shl', 'shr'];
  const suits = (op: string, type: ScalarType): boolean => {
    const of = scalarClass(type);
    if (op.startsWith('logical')) return of === 'bool';
    if (of === 'bool') return ['and', 'or', 'xor', 'equal', 'not_equal'].includes(op);
    if (bitwise.includes(op) || op === 'not') return of !== 'float';
    return true;
  };
  const comparisons = ['equal', 'not_equal', 'less', 'less_equal', 'greater', 'greater_equal'];

  test.each(Object.keys(binary))('%s folds as the interpreter computes', (op) => {
    for (const type of scalars.filter((one) => suits(op, one))) {
      fc.assert(
        fc.property(valuesOf(type), valuesOf(type), (a, b) => {
          const result: Type = comparisons.includes(op) ? boolType : type;
          const vec = vector(type, 2);
          const value = fold((builder) => {
            const [x, y] = [constantOf(builder, vec, [a, b]), constantOf(builder, vec, [b, a])];
            builder.instruction(op as 'add', [x, y], [vector(result, 2)]);
          });
          const shape = shapeOf(type, true);
          expect(plain(value && treeOf(value))).toBe(
            plain([binary[op]!(a, b, shape), binary[op]!(b, a, shape)]),
          );
        }),
        { numRuns: 100 },
      );
    }
  });

  test.each(Object.keys(unary))('%s folds as the interpreter computes', (op) => {
    for (const type of scalars.filter((one) => suits(op, one) && !(op === 'neg' && one === boolType))) {
      fc.assert(
        fc.property(valuesOf(type), (a) => {
          const value = fold((builder) => builder.unary(op as 'neg', builder.constant(type, a)));
          expect(plain(value && treeOf(value))).toBe(plain(unary[op]!(a, shapeOf(type, true))));
        }),
        { numRuns: 50 },
      );
    }
  });

  test('conversions and bit casts fold as the interpreter computes', () => {
    const pairs = scalars.flatMap((from) => scalars.map((to) => [from, to] as const));
    for (const [from, to] of pairs) {
      const [shape, target] = [shapeOf(from, true), shapeOf(to, true)];
      fc.assert(
        fc.property(valuesOf(from), (a) => {
          if (from === to) return;
          const value = fold((builder) => builder.convert(builder.constant(from, a), to));
          expect(plain(value && treeOf(value))).toBe(plain(convert(a, shape, target)));
          if (from === boolType || to === boolType || scalarBits(from, true) !== scalarBits(to, true)) return;
          const bits = fold((builder) => builder.bitcast(builder.constant(from, a), to));
          const expected = bitcast(a, shape, target, 1, false);
          expect(plain(bits && treeOf(bits))).toBe(plain(Number.isNaN(expected) ? undefined : expected));
        }),
        { numRuns: 20 },
      );
    }
  });
});
