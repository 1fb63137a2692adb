import { describe, expect, it } from 'vitest';
import { halfBits, halfOfBits } from '../../src/ir/bits.ts';
import { roundHalf } from '../../src/ir/arithmetic.ts';
import { intrinsicByKey } from '../../src/intrinsics/table.ts';
import { Builder } from '../../src/ir/builder.ts';
import type { Constant, Global, Module, Value } from '../../src/ir/ir.ts';
import { validate } from '../../src/ir/validate.ts';
import { expandIntrinsics } from '../../src/passes/expand-intrinsics.ts';
import { PositionTable, type Scope } from '../../src/source/position.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import {
  array,
  boolType,
  buffer,
  doubleType,
  floatType,
  intType,
  matrix,
  pointer,
  type StructType,
  scalar,
  scalarClass,
  type Type,
  typeName,
  uintType,
  vector,
  voidType,
} from '../../src/types/type.ts';
import { interpretVertices } from '../support/interpreter/interpret.ts';

type Datum = number | bigint | boolean | readonly Datum[];

const float = (count: number) => vector(floatType, count);
const int = (count: number) => vector(intType, count);
const uint = (count: number) => vector(uintType, count);
const [half, short, ushort, long, ulong] = (
  ['float16_t', 'int16_t', 'uint16_t', 'int64_t', 'uint64_t'] as const
).map(scalar) as [
  ReturnType<typeof scalar>,
  ReturnType<typeof scalar>,
  ReturnType<typeof scalar>,
  ReturnType<typeof scalar>,
  ReturnType<typeof scalar>,
];

function constant(builder: Builder, type: Type, value: Datum): Constant {
  if (!Array.isArray(value)) return builder.constant(type, value as number);
  const part = (index: number): Type => {
    switch (type.kind) {
      case 'matrix':
        return vector(type.element, type.columns);
      case 'vector':
      case 'array':
        return type.element;
      case 'struct':
        return type.members[index]!.type;
      default:
        throw new Error(typeName(type));
    }
  };
  return builder.constant(
    type,
    value.map((each, index) => constant(builder, part(index), each)),
  );
}

interface Call {
  key: string;
  args: readonly (readonly [Type, Datum])[];
  result?: Type;
  /** Types of the places that follow the arguments. */
  outs?: readonly Type[];
  object?: Type;
}

/** A shader that makes the call and writes its result, then what its out parameters got. */
function moduleOf({ key, args, result = voidType, outs = [], object }: Call): Module {
  const map = new SourceMap();
  map.add('main.hlsl', 'float f;\n'.repeat(9), 0);
  const positions = new PositionTable(map);
  const unit: Scope = { kind: 'unit', location: 1 };
  const scope: Scope = { kind: 'function', parent: unit, location: 1, name: 'main' };
  const body = { parameters: [], instructions: [] };
  const module: Module = {
    sourceMap: map,
    positions,
    unit,
    functions: [],
    globals: [],
    debugVariables: [],
    enable16BitTypes: true,
  };
  const entry = {
    stage: 'vertex' as const,
    name: 'main',
    inputs: [],
    outputs: [] as Global[],
    attributes: [],
  };
  module.functions.push({
    kind: 'function',
    name: 'main',
    parameters: [],
    returnType: voidType,
    body,
    scope,
    entry,
    attributes: [],
  });
  const builder = new Builder(module);
  builder.at(positions.intern(3, 5, scope)).into(body);
  const places = outs.map((type) => builder.var(type, 'out'));
  const operands: Value[] = [];
  if (object) {
    const binding = { set: 0, binding: 0, counter: { set: 0, binding: 1 } };
    const global: Global = {
      kind: 'global',
      name: 'object',
      type: pointer('resource', object),
      role: { kind: 'resource', binding, coherent: false, attributes: [] },
      location: 1,
    };
    module.globals.push(global);
    operands.push(global);
  }
  operands.push(...args.map(([type, value]) => constant(builder, type, value)), ...places);
  const made = builder.intrinsic(key, result, operands);
  const write = (type: Type, value: Value) => {
    const index = module.globals.length;
    const output: Global = {
      kind: 'global',
      name: `o${index}`,
      type: pointer('output', type),
      role: {
        kind: 'output',
        variable: {
          name: '',
          type,
          semantic: { name: 'O', index },
          interpolation: [],
          precise: false,
          at: 1,
          end: 2,
        },
      },
      location: 1,
    };
    module.globals.push(output);
    entry.outputs.push(output);
    builder.store(output, value);
  };
  if (made) write(result, made);
  for (const [index, place] of places.entries()) write(outs[index]!, builder.load(place));
  builder.return();
  return module;
}

function run(module: Module, bytes?: Uint8Array, counter?: Uint8Array): Datum[] {
  const bindings = bytes && {
    '0.0': { kind: 'buffer' as const, bytes },
    ...(counter && { '0.1': { kind: 'buffer' as const, bytes: counter } }),
  };
  const [result] = interpretVertices(module, [{}], bindings ? { bindings } : {});
  return Object.values(result!.outputs) as Datum[];
}

/** What the call gives once it is expanded. */
function expanded(call: Call, bytes?: Uint8Array, counter?: Uint8Array): Datum[] {
  const module = moduleOf(call);
  expect(validate(module)).toEqual([]);
  expandIntrinsics(module);
  expect(validate(module)).toEqual([]);
  return run(module, bytes, counter);
}

const nan = Number.NaN;
const f = Math.fround;

/** Expected values were worked out by hand. `own`: the interpreter knows the function itself and is asked too. */
const cases: readonly (readonly [
  string,
  Call['args'],
  Type,
  Datum,
  { outs?: [Type, Datum][]; alone?: boolean }?,
])[] = [
  ['abs', [[int(2), [-5, 7]]], int(2), [5, 7]],
  ['abs', [[uintType, 0xffffffff]], uintType, 0xffffffff],
  [
    'abs',
    [
      [
        matrix(floatType, 2, 2),
        [
          [-1, 2],
          [-3, -0.5],
        ],
      ],
    ],
    matrix(floatType, 2, 2),
    [
      [1, 2],
      [3, 0.5],
    ],
  ],
  [
    'all',
    [
      [
        matrix(boolType, 2, 2),
        [
          [true, true],
          [true, false],
        ],
      ],
    ],
    boolType,
    false,
  ],
  ['all', [[float(3), [1, -2, 0.5]]], boolType, true],
  ['all', [[intType, 0]], boolType, false],
  [
    'any',
    [
      [
        matrix(floatType, 2, 2),
        [
          [0, 0],
          [0, 0.25],
        ],
      ],
    ],
    boolType,
    true,
  ],
  ['any', [[uint(3), [0, 0, 0]]], boolType, false],
  ['any', [[vector(floatType, 1), [2]]], boolType, true],
  [
    'and',
    [
      [vector(boolType, 2), [true, false]],
      [vector(boolType, 2), [true, true]],
    ],
    vector(boolType, 2),
    [true, false],
  ],
  [
    'asdouble',
    [
      [uint(2), [0, 1]],
      [uint(2), [0x3ff00000, 0x40000000]],
    ],
    vector(doubleType, 2),
    [1, 2.0000000000000004],
  ],
  ['asfloat', [[uint(2), [0x3f800000, 0xc0000000]]], float(2), [1, -2]],
  ['asuint', [[float(2), [1, -0]]], uint(2), [0x3f800000, 0x80000000]],
  [
    'asuint',
    [[vector(doubleType, 2), [1, -2.5]]],
    voidType,
    0,
    {
      outs: [
        [uint(2), [0, 0]],
        [uint(2), [0x3ff00000, 0xc0040000]],
      ],
    },
  ],
  ['asuint16', [[vector(half, 2), [1, -2]]], vector(ushort, 2), [0x3c00, 0xc000]],
  [
    'clamp',
    [
      [floatType, nan],
      [floatType, 0.25],
      [floatType, 1],
    ],
    floatType,
    0.25,
    { alone: true },
  ],
  ['countbits', [[int(2), [-1, 6]]], uint(2), [32, 2]],
  ['countbits', [[short, -1]], uintType, 16],
  ['countbits', [[vector(ulong, 2), [0xffffffffffffffffn, 0x100000001n]]], uint(2), [64, 2]],
  ['determinant', [[matrix(floatType, 1, 1), [[5]]]], floatType, 5],
  [
    'determinant',
    [
      [
        matrix(floatType, 3, 3),
        [
          [2, 0, 1],
          [1, 3, 2],
          [1, 1, 1],
        ],
      ],
    ],
    floatType,
    0,
  ],
  [
    'dot',
    [
      [int(3), [1, 2, 3]],
      [int(3), [4, -5, 6]],
    ],
    intType,
    12,
  ],
  [
    'dot',
    [
      [floatType, 3],
      [floatType, 4],
    ],
    floatType,
    12,
  ],
  [
    'dot',
    [
      [vector(floatType, 1), [3]],
      [vector(floatType, 1), [4]],
    ],
    floatType,
    12,
  ],
  [
    'dst',
    [
      [float(4), [1, 2, 3, 4]],
      [float(4), [5, 6, 7, 8]],
    ],
    float(4),
    [1, 12, 3, 8],
  ],
  ['f16tof32', [[uint(2), [0x3c00, 0xffffc000]]], float(2), [1, -2]],
  ['f32tof16', [[float(2), [1, 65504]]], uint(2), [0x3c00, 0x7bff]],
  ['firstbithigh', [[uint(3), [0, 1, 0x80000000]]], uint(3), [0xffffffff, 0, 31]],
  ['firstbithigh', [[int(4), [0, -1, -8, 9]]], uint(4), [0xffffffff, 0xffffffff, 2, 3]],
  ['firstbithigh', [[vector(short, 3), [-1, -8, 9]]], uint(3), [0xffffffff, 2, 3]],
  ['firstbithigh', [[vector(ushort, 2), [0, 0x8000]]], uint(2), [0xffffffff, 15]],
  ['firstbithigh', [[vector(ulong, 4), [0n, 9n, 1n, 0xffffffffffffffffn]]], uint(4), [0xffffffff, 3, 0, 63]],
  ['firstbithigh', [[vector(long, 4), [-1n, -8n, 9n, 0n]]], uint(4), [0xffffffff, 2, 3, 0xffffffff]],
  ['firstbithigh', [[long, -(2n ** 40n) - 1n]], uintType, 40],
  ['firstbitlow', [[uint(3), [0, 12, 0x80000000]]], uint(3), [0xffffffff, 2, 31]],
  ['firstbitlow', [[vector(short, 2), [0, -32768]]], uint(2), [0xffffffff, 15]],
  ['firstbitlow', [[vector(ulong, 3), [0n, 8n, 1n << 40n]]], uint(3), [0xffffffff, 3, 40]],
  [
    'fmod',
    [
      [float(2), [5.5, -5.5]],
      [float(2), [2, 2]],
    ],
    float(2),
    [1.5, -1.5],
    { alone: true },
  ],
  [
    'frexp',
    [[float(4), [0, 1, -6, 0.375]]],
    float(4),
    [0, 0.5, -0.75, 0.75],
    { outs: [[float(4), [0, 1, 3, -1]]] },
  ],
  [
    'frexp',
    [[matrix(floatType, 2, 1), [[8], [0.5]]]],
    matrix(floatType, 2, 1),
    [[0.5], [0.5]],
    { outs: [[matrix(floatType, 2, 1), [[4], [0]]]], alone: true },
  ],
  [
    'isfinite',
    [[float(4), [1, Infinity, nan, -Infinity]]],
    vector(boolType, 4),
    [true, false, false, false],
    { alone: true },
  ],
  [
    'ldexp',
    [
      [float(2), [3, -0.5]],
      [float(2), [4, -1]],
    ],
    float(2),
    [48, -0.25],
    { alone: true },
  ],
  [
    'lit',
    [
      [floatType, 0.5],
      [floatType, 2],
      [floatType, 3],
    ],
    float(4),
    [1, 0.5, 8, 1],
  ],
  [
    'lit',
    [
      [floatType, -0.5],
      [floatType, 2],
      [floatType, 3],
    ],
    float(4),
    [1, 0, 0, 1],
  ],
  ['log10', [[float(2), [1, 1]]], float(2), [0, 0], { alone: true }],
  [
    'mad',
    [
      [int(2), [3, 0x7fffffff]],
      [int(2), [4, 2]],
      [int(2), [5, 3]],
    ],
    int(2),
    [17, 1],
  ],
  [
    'max',
    [
      [float(2), [nan, 1]],
      [float(2), [2, nan]],
    ],
    float(2),
    [2, 1],
  ],
  [
    'min',
    [
      [vector(long, 2), [-1n, 5n]],
      [vector(long, 2), [1n, 4n]],
    ],
    vector(long, 2),
    [-1n, 4n],
  ],
  ['modf', [[float(2), [1.75, -2.5]]], float(2), [0.75, -0.5], { outs: [[float(2), [1, -2]]] }],
  [
    'modf',
    [[matrix(floatType, 1, 2), [[1.75, -2.5]]]],
    matrix(floatType, 1, 2),
    [[0.75, -0.5]],
    { outs: [[matrix(floatType, 1, 2), [[1, -2]]]], alone: true },
  ],
  [
    'msad4',
    [
      [uintType, 0x01000302],
      [uint(2), [0x04030201, 0x08070605]],
      [uint(4), [0, 1, 2, 3]],
    ],
    uint(4),
    [5, 5, 9, 13],
  ],
  [
    'mul',
    [
      [intType, 3],
      [int(2), [1, -2]],
    ],
    int(2),
    [3, -6],
  ],
  [
    'mul',
    [
      [int(2), [1, 2]],
      [
        matrix(intType, 2, 3),
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
    ],
    int(3),
    [9, 12, 15],
  ],
  [
    'mul',
    [
      [
        matrix(intType, 2, 3),
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      [int(3), [1, 0, -1]],
    ],
    int(2),
    [-2, -2],
  ],
  [
    'mul',
    [
      [
        matrix(intType, 2, 2),
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [
        matrix(intType, 2, 2),
        [
          [0, 1],
          [1, 0],
        ],
      ],
    ],
    matrix(intType, 2, 2),
    [
      [2, 1],
      [4, 3],
    ],
  ],
  [
    'mul',
    [
      [matrix(floatType, 1, 2), [[1, 2]]],
      [matrix(floatType, 2, 1), [[3], [4]]],
    ],
    matrix(floatType, 1, 1),
    [[11]],
  ],
  [
    'mul',
    [
      [
        matrix(floatType, 2, 2),
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [floatType, 2],
    ],
    matrix(floatType, 2, 2),
    [
      [2, 4],
      [6, 8],
    ],
  ],
  [
    'mul',
    [
      [
        matrix(floatType, 2, 3),
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      [
        matrix(floatType, 3, 2),
        [
          [1, 0],
          [0, 1],
          [1, 1],
        ],
      ],
    ],
    matrix(floatType, 2, 2),
    [
      [4, 5],
      [10, 11],
    ],
  ],
  ['rcp', [[vector(doubleType, 2), [4, -0.5]]], vector(doubleType, 2), [0.25, -2], { alone: true }],
  ['reversebits', [[uint(2), [1, 0xf0]]], uint(2), [0x80000000, 0x0f000000]],
  ['reversebits', [[ushort, 1]], ushort, 0x8000],
  ['reversebits', [[ulong, 3n]], ulong, 0xc000000000000000n],
  ['round', [[float(4), [0.5, 1.5, -2.5, 2.6]]], float(4), [0, 2, -2, 3], { alone: true }],
  ['saturate', [[float(4), [nan, -1, 0.25, 7]]], float(4), [0, 0, 0.25, 1], { alone: true }],
  [
    'select',
    [
      [vector(boolType, 2), [true, false]],
      [float(2), [1, 2]],
      [float(2), [3, 4]],
    ],
    float(2),
    [1, 4],
  ],
  ['sign', [[float(4), [-3, 0, 9, nan]]], int(4), [-1, 0, 1, 0], { alone: true }],
  ['sign', [[uint(2), [0, 0xffffffff]]], int(2), [0, 1], { alone: true }],
  [
    'sincos',
    [[float(1), [0]]],
    voidType,
    0,
    {
      outs: [
        [float(1), [0]],
        [float(1), [1]],
      ],
    },
  ],
  [
    'transpose',
    [
      [
        matrix(intType, 2, 3),
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
    ],
    matrix(intType, 3, 2),
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  ],
  ['D3DCOLORtoUBYTE4', [[float(4), [0, 0.5, 1, 0.25]]], int(4), [255, 127, 0, 63]],
  [
    'dot2add',
    [
      [vector(half, 2), [1, 2]],
      [vector(half, 2), [3, 4]],
      [floatType, 0.5],
    ],
    floatType,
    11.5,
  ],
  [
    'dot4add_i8packed',
    [
      [uintType, 0xff020304],
      [uintType, 0x02030405],
      [intType, 100],
    ],
    intType,
    100 - 2 + 6 + 12 + 20,
  ],
  [
    'dot4add_u8packed',
    [
      [uintType, 0xff020304],
      [uintType, 0x02030405],
      [uintType, 1],
    ],
    uintType,
    1 + 510 + 6 + 12 + 20,
  ],
  [
    'AddUint64',
    [
      [uint(4), [0xffffffff, 1, 5, 6]],
      [uint(4), [1, 2, 7, 8]],
    ],
    uint(4),
    [0, 4, 12, 14],
    { alone: true },
  ],
  ['pack_s8', [[int(4), [-1, 2, 0x1ff, 4]]], uintType, 0x04ff02ff, { alone: true }],
  ['pack_clamp_s8', [[int(4), [-1000, 2, 1000, -1]]], uintType, 0xff7f0280, { alone: true }],
  ['pack_clamp_u8', [[vector(short, 4), [-1000, 2, 1000, 255]]], uintType, 0xffff0200, { alone: true }],
  ['unpack_s8s32', [[uintType, 0xff7f0280]], int(4), [-128, 2, 127, -1], { alone: true }],
  ['unpack_u8u16', [[uintType, 0xff7f0280]], vector(ushort, 4), [128, 2, 127, 255], { alone: true }],
];

describe('expansions', () => {
  const named = cases.map(([key, args, result, value, more = {}]) => ({ key, args, result, value, more }));
  it.each(named)('$key %#', ({ key, args, result, value, more }) => {
    const outs = more.outs ?? [];
    const call: Call = { key, args, result, outs: outs.map(([type]) => type) };
    const expected = [...(result === voidType ? [] : [value]), ...outs.map(([, written]) => written)];
    const plain = (data: Datum[]) =>
      JSON.stringify(data, (_, each) =>
        typeof each === 'bigint' ? `${each}n` : Object.is(each, -0) ? 0 : each,
      );
    expect(plain(expanded(call))).toBe(plain(expected));
    if (!more.alone) expect(plain(run(moduleOf(call)))).toBe(plain(expected));
  });
});

describe('folds', () => {
  const fold = (key: string, ...args: unknown[]) =>
    (intrinsicByKey(key)!.fold as (...args: unknown[]) => unknown)(
      ...args,
      typeof args[0] === 'bigint' ? 64 : 32,
    );
  it.each<[string, unknown[], unknown]>([
    ['abs', [-0], 0],
    ['abs', [-5n], 5n],
    ['atan2', [1, -1], (3 * Math.PI) / 4],
    ['clamp', [5, 0, 3], 3],
    ['countbits', [-1], 32],
    ['countbits', [-1n], 64],
    ['degrees', [Math.PI], 180],
    ['f16tof32', [0x8001], -(2 ** -24)],
    ['f32tof16', [1e9], 0x7c00],
    ['firstbithigh', [-8], 2],
    ['firstbithigh', [0], 0xffffffff],
    ['firstbitlow', [-8], 3],
    ['firstbitlow', [8n], 3],
    ['fmod', [-5.5, 2], -1.5],
    ['frac', [-0.25], 0.75],
    ['isinf', [-Infinity], true],
    ['isnan', [1], false],
    ['lerp', [2, 4, 0.25], 2.5],
    ['max', [nan, 3], 3],
    ['max', [2n, 3n], 3n],
    ['min', [1, nan], 1],
    ['pow', [-1, 2], nan],
    ['reversebits', [1], 0x80000000],
    ['round', [2.5], 2],
    ['round', [-0.4], -0],
    ['rsqrt', [4], 0.5],
    ['saturate', [nan], 0],
    ['sign', [-3n], -1],
    ['smoothstep', [0, 2, 1], 0.5],
    ['step', [1, 1], 1],
    ['trunc', [-1.5], -1],
  ])('%s(%s)', (key, args, expected) => {
    expect(fold(key, ...args)).toEqual(expected);
  });

  const whole = (key: string, ...args: unknown[]) =>
    (intrinsicByKey(key)!.foldWhole as (round: (x: number) => number, ...args: unknown[]) => unknown)(
      f,
      ...args,
    );
  it.each<[string, unknown[], unknown]>([
    ['all', [[1, true, 0]], false],
    ['any', [[0, false, 2]], true],
    ['any', [0], false],
    ['bits.pack-half', [[1, -2]], 0xc0003c00],
    ['bits.unpack-half', [0xc0003c00], [1, -2]],
    [
      'cross',
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      [0, 0, 1],
    ],
    [
      'determinant',
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      -2,
    ],
    [
      'distance',
      [
        [1, 2],
        [4, 6],
      ],
      5,
    ],
    [
      'dot',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      32,
    ],
    [
      'faceforward',
      [
        [1, 2],
        [1, 0],
        [1, 0],
      ],
      [-1, -2],
    ],
    ['length', [[3, 4]], 5],
    ['length', [-3], 3],
    [
      'mul',
      [
        [1, 2],
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      [9, 12, 15],
    ],
    [
      'mul',
      [
        [
          [1, 2],
          [3, 4],
        ],
        [5, 6],
      ],
      [17, 39],
    ],
    [
      'mul',
      [
        2,
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [
        [2, 4],
        [6, 8],
      ],
    ],
    ['mul', [[[1, 2]], [[3], [4]]], [[11]]],
    ['normalize', [[3, 4]], [f(0.6), f(0.8)]],
    [
      'reflect',
      [
        [1, -1],
        [0, 1],
      ],
      [1, 1],
    ],
    ['refract', [[0, -1], [0, 1], 0.5], [0, -1]],
    ['refract', [[1, 0], [0, 1], 2], [0, 0]],
    ['transpose', [[[1, 2, 3]]], [[1], [2], [3]]],
  ])('%s(%j)', (key, args, expected) => {
    expect(whole(key, ...args)).toEqual(expected);
  });
});

describe('16-bit floats', () => {
  it('round to nearest, ties to even', () => {
    expect([1 + 2 ** -11, 1 + 3 * 2 ** -11, 65519, 65520, 2 ** -25, 3 * 2 ** -26, -0].map(roundHalf)).toEqual(
      [1, 1 + 2 ** -9, 65504, Infinity, 0, 2 ** -24, -0],
    );
  });
  it('survive their bits', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = halfOfBits(bits);
      if (Number.isNaN(value)) continue;
      if (halfBits(value) !== bits) expect.fail(`${bits}: ${value} gives ${halfBits(value)}`);
    }
  });
});

// ---- buffers

const particle: StructType = {
  kind: 'struct',
  name: 'Particle',
  keyword: 'struct',
  location: 1,
  members: [
    { name: 'flag', type: boolType, location: 1, modifiers: [], attributes: [] },
    { name: 'weights', type: vector(half, 3), location: 1, modifiers: [], attributes: [] },
    {
      name: 'rows',
      type: matrix(floatType, 2, 3),
      location: 1,
      modifiers: [],
      attributes: [],
      matrixOrder: 'row_major',
    },
    {
      name: 'columns',
      type: matrix(intType, 2, 2),
      location: 1,
      modifiers: [],
      attributes: [],
      matrixOrder: 'column_major',
    },
    { name: 'big', type: array(doubleType, 2), location: 1, modifiers: [], attributes: [] },
  ],
};

describe('byte address buffers', () => {
  const object = buffer('RWByteAddressBuffer', uintType);
  const value: Datum = [
    true,
    [1, -2, 0.5],
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    [
      [1, 2],
      [3, 4],
    ],
    [0.1, -7],
  ];

  it('store and load values at their natural offsets', () => {
    const bytes = new Uint8Array(128).fill(0xee);
    expanded(
      {
        key: 'buffer.Store',
        args: [
          [uintType, 8],
          [particle, value],
        ],
        object,
      },
      bytes,
    );
    const view = new DataView(bytes.buffer);
    expect([0, 4].map((at) => view.getUint32(at, true))).toEqual([0xeeeeeeee, 0xeeeeeeee]);
    expect(view.getUint32(8, true)).toBe(1);
    expect([12, 14, 16].map((at) => view.getUint16(at, true))).toEqual([0x3c00, 0xc000, 0x3800]);
    expect(view.getUint16(18, true)).toBe(0xeeee);
    expect([20, 24, 28, 32, 36, 40].map((at) => view.getFloat32(at, true))).toEqual([1, 2, 3, 4, 5, 6]);
    expect([44, 48, 52, 56].map((at) => view.getInt32(at, true))).toEqual([1, 3, 2, 4]);
    expect([64, 72].map((at) => view.getFloat64(at, true))).toEqual([0.1, -7]);
    expect(view.getUint32(80, true)).toBe(0xeeeeeeee);
    expect(
      expanded({ key: 'buffer.Load.bytes', args: [[uintType, 8]], result: particle, object }, bytes),
    ).toEqual([value]);
  });

  it('load and store words', () => {
    const bytes = new Uint8Array(new Uint32Array([1, 2, 3, 4, 5, 6]).buffer);
    expect(
      expanded({ key: 'buffer.Load.bytes', args: [[uintType, 4]], result: uintType, object }, bytes),
    ).toEqual([2]);
    expect(expanded({ key: 'buffer.Load3', args: [[uintType, 8]], result: uint(3), object }, bytes)).toEqual([
      [3, 4, 5],
    ]);
    expanded(
      {
        key: 'buffer.Store2',
        args: [
          [uintType, 0],
          [uint(2), [7, 8]],
        ],
        object,
      },
      bytes,
    );
    expect([...new Uint32Array(bytes.buffer)]).toEqual([7, 8, 3, 4, 5, 6]);
    expect(
      expanded({ key: 'buffer.GetDimensions.bytes', args: [], outs: [uintType], object }, bytes),
    ).toEqual([24]);
  });

  it('change words as a whole', () => {
    const bytes = new Uint8Array(new Int32Array([5, -3, 7, 0]).buffer);
    const words = () => [...new Int32Array(bytes.buffer)];
    const change = (key: string, args: Call['args'], outs: Type[] = [uintType]) =>
      expanded({ key: `buffer.${key}`, args, outs, object }, bytes);
    expect(
      change('InterlockedAdd', [
        [uintType, 0],
        [intType, -6],
      ]),
    ).toEqual([5]);
    expect(words()[0]).toBe(-1);
    expect(
      change('InterlockedMax', [
        [uintType, 4],
        [intType, 1],
      ]),
    ).toEqual([0xfffffffd]);
    expect(words()[1]).toBe(1);
    expect(
      change('InterlockedMin', [
        [uintType, 0],
        [uintType, 9],
      ]),
    ).toEqual([0xffffffff]);
    expect(words()[0]).toBe(9);
    expect(
      change('InterlockedCompareExchange', [
        [uintType, 8],
        [uintType, 7],
        [uintType, 70],
      ]),
    ).toEqual([7]);
    expect(
      change(
        'InterlockedCompareStore',
        [
          [uintType, 8],
          [uintType, 7],
          [uintType, 71],
        ],
        [],
      ),
    ).toEqual([]);
    expect(words()[2]).toBe(70);
    expect(
      change(
        'InterlockedExchangeFloat',
        [
          [uintType, 12],
          [floatType, 1],
        ],
        [floatType],
      ),
    ).toEqual([0]);
    expect(
      change(
        'InterlockedCompareExchangeFloatBitwise',
        [
          [uintType, 12],
          [floatType, 1],
          [floatType, 2],
        ],
        [floatType],
      ),
    ).toEqual([1]);
    expect(words()[3]).toBe(0x40000000);
  });
});

describe('structured buffers', () => {
  it('load matrices as one element', () => {
    const object = buffer('StructuredBuffer', matrix(floatType, 2, 2), 'row_major');
    const bytes = new Uint8Array(new Float32Array([0, 0, 0, 0, 1, 2, 3, 4]).buffer);
    const call: Call = { key: 'buffer.Load', args: [[intType, 1]], result: matrix(floatType, 2, 2), object };
    expect(expanded(call, bytes)).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });

  const counterOf = (value: number) => new Uint8Array(new Int32Array([value]).buffer);

  it('append and consume at their counter', () => {
    const bytes = new Uint8Array(32);
    const counter = counterOf(1);
    expanded(
      {
        key: 'buffer.Append',
        args: [[float(2), [3, 4]]],
        object: buffer('AppendStructuredBuffer', float(2)),
      },
      bytes,
      counter,
    );
    expect([...new Float32Array(bytes.buffer)].slice(0, 4)).toEqual([0, 0, 3, 4]);
    expect(new Int32Array(counter.buffer)[0]).toBe(2);
    const consume: Call = {
      key: 'buffer.Consume',
      args: [],
      result: float(2),
      object: buffer('ConsumeStructuredBuffer', float(2)),
    };
    expect(expanded(consume, bytes, counter)).toEqual([[3, 4]]);
    expect(new Int32Array(counter.buffer)[0]).toBe(1);
  });

  it('count up before and down after', () => {
    const object = buffer('RWStructuredBuffer', float(2));
    const counter = counterOf(4);
    expect(
      expanded(
        { key: 'buffer.IncrementCounter', args: [], result: uintType, object },
        new Uint8Array(8),
        counter,
      ),
    ).toEqual([4]);
    expect(
      expanded(
        { key: 'buffer.DecrementCounter', args: [], result: uintType, object },
        new Uint8Array(8),
        counter,
      ),
    ).toEqual([4]);
  });

  it('know their size', () => {
    const object = buffer('StructuredBuffer', float(4));
    const call: Call = { key: 'buffer.GetDimensions', args: [], outs: [uintType, uintType], object };
    expect(run(moduleOf(call), new Uint8Array(48))).toEqual([3, 16]);
    expect(expanded(call, new Uint8Array(48))).toEqual([3, 16]);
  });
});

it('knows the class of every scalar the tests use', () => {
  expect([half, short, ushort, long, ulong].map(scalarClass)).toEqual([
    'float',
    'int',
    'uint',
    'int',
    'uint',
  ]);
});
