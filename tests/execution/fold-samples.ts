/** Values for intrinsics and what they give, independent of the compiler. Left out is what D3D, SPIR-V and Metal leave open. */

export interface Sample {
  /** A number per parameter, or its components in order, rows outermost. */
  of: readonly (number | readonly number[])[];
  gives: number | readonly number[];
}

export interface Row {
  /** `$0` is the first argument. */
  call: string;
  parameters: readonly string[];
  result: string;
  samples: readonly Sample[];
  /** Relative to the value, or to 1 if that is more; 0 if absent. Zeros of both signs are equal. */
  tolerance?: number;
}

const ulp = 2 ** -23;
/** Ends, neighbours of 1, and what is no number. */
export const edges = [
  0,
  -0,
  1,
  -1,
  0.5,
  1 + ulp,
  1 - ulp / 2,
  -2.5,
  2 ** 23 + 1,
  3.4028234663852886e38,
  Infinity,
  -Infinity,
  NaN,
];
const ends = [-(2 ** 31), 2 ** 31 - 1, -1, 0, 1];
const words = [0, 1, 0x80000000, 0xffffffff, 0x00010000, 0x12345678];

/** A function of one float. */
function real(
  name: string,
  values: readonly number[],
  of: (x: number) => number,
  tolerance = 0,
): readonly Row[] {
  const samples = values.map((x) => ({ of: [x], gives: of(Math.fround(x)) }));
  return [{ call: `${name}($0)`, parameters: ['float'], result: 'float', samples, tolerance }];
}

/** A function whose parameters and result have one type. */
function alike(
  name: string,
  type: string,
  samples: readonly (readonly [of: readonly number[], gives: number])[],
  tolerance = 0,
): Row {
  const count = samples[0]![0].length;
  const call = `${name}(${Array.from({ length: count }, (_, i) => `$${i}`).join(', ')})`;
  return {
    call,
    parameters: new Array<string>(count).fill(type),
    result: type,
    samples: samples.map(([of, gives]) => ({ of, gives })),
    tolerance,
  };
}

const row = (
  call: string,
  parameters: readonly string[],
  result: string,
  samples: readonly (readonly [of: Sample['of'], gives: Sample['gives']])[],
  tolerance = 0,
): Row => ({ call, parameters, result, samples: samples.map(([of, gives]) => ({ of, gives })), tolerance });

const flag = (name: string, of: (x: number) => boolean): readonly Row[] => [
  row(
    `${name}($0)`,
    ['float'],
    'uint',
    edges.map((x) => [[x], of(x) ? 1 : 0]),
  ),
];

const evenRound = (x: number): number => {
  const whole = Math.round(x);
  return Math.abs(x % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
};
const halves = [0.5, 1.5, 2.5, -0.5, -1.5, -3.5];
const angles = [0, 0.5, -1.25, 3, NaN];
const binaryFlags = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;
const joined = (name: string, of: (x: number, y: number) => number): readonly Row[] => [
  row(
    `${name}($0, $1)`,
    ['bool', 'bool'],
    'uint',
    binaryFlags.map(([x, y]) => [[x, y], of(x, y)]),
  ),
];

const single: Record<string, readonly Row[]> = {
  abs: [
    ...real('abs', edges, Math.abs),
    alike(
      'abs',
      'int',
      ends.map((x) => [[x], Math.abs(x) | 0]),
    ),
  ],
  ceil: real('ceil', [...edges, ...halves], Math.ceil),
  floor: real('floor', [...edges, ...halves], Math.floor),
  trunc: real('trunc', [...edges, ...halves], Math.trunc),
  round: real('round', [...edges, ...halves], evenRound),
  frac: real('frac', [...halves, 0, 1, 2 ** 23 + 1], (x) => x - Math.floor(x)),
  saturate: real('saturate', edges, (x) => (Number.isNaN(x) ? 0 : Math.min(Math.max(x, 0), 1))),
  sign: [
    row(
      'sign($0)',
      ['float'],
      'int',
      edges.filter((x) => !Number.isNaN(x)).map((x) => [[x], Math.sign(x)]),
    ),
    row(
      'sign($0)',
      ['int'],
      'int',
      ends.map((x) => [[x], Math.sign(x)]),
    ),
  ],
  isfinite: flag('isfinite', Number.isFinite),
  isinf: flag('isinf', (x) => Math.abs(x) === Infinity),
  isnan: flag('isnan', Number.isNaN),
  sqrt: real('sqrt', [0, 1, 0.25, 2, 1 + ulp, 1e30, Infinity, -1, NaN], Math.sqrt, 1e-6),
  rsqrt: real('rsqrt', [0, 1, 4, 0.25, 1 + ulp, Infinity, NaN], (x) => 1 / Math.sqrt(x), 1e-5),
  rcp: real('rcp', [1, -4, 0.1, 1 + ulp, Infinity, 0, NaN], (x) => 1 / x, 1e-6),
  exp: real('exp', [0, 1, -1, 10.5, Infinity, -Infinity, NaN], Math.exp, 1e-5),
  exp2: real('exp2', [0, 1, -3, 0.5, 100, Infinity, -Infinity, NaN], (x) => 2 ** x, 1e-5),
  log: real('log', [1, 2, 0.5, 1 + ulp, 1e30, Infinity, 0, -1, NaN], Math.log, 1e-5),
  log2: real('log2', [1, 8, 0.5, 1 + ulp, 1e30, Infinity, 0, -1, NaN], Math.log2, 1e-5),
  log10: real('log10', [1, 1000, 0.5, 1 + ulp, 1e30, Infinity, 0, -1, NaN], Math.log10, 1e-5),
  sin: real('sin', angles, Math.sin, 1e-4),
  cos: real('cos', angles, Math.cos, 1e-4),
  tan: real('tan', angles, Math.tan, 1e-4),
  asin: real('asin', [0, 0.5, -0.75, 1, -1, NaN], Math.asin, 1e-3),
  acos: real('acos', [0, 0.5, -0.75, 1, -1, NaN], Math.acos, 1e-3),
  atan: real('atan', [0, 0.5, -1.25, 3, 1e10, -1e10], Math.atan, 1e-4),
  sinh: real('sinh', [0, 1, -2, NaN], Math.sinh, 1e-4),
  cosh: real('cosh', [0, 1, -2, NaN], Math.cosh, 1e-4),
  tanh: real('tanh', [0, 1, -2, 5, NaN], Math.tanh, 1e-4),
  degrees: real('degrees', [0, 1, -Math.PI, Infinity, NaN], (x) => (x * 180) / Math.PI, 1e-5),
  radians: real('radians', [0, 1, -180, Infinity, NaN], (x) => (x * Math.PI) / 180, 1e-5),
};

const several: Record<string, readonly Row[]> = {
  min: [
    alike('min', 'float', [
      [[1, 2], 1],
      [[-1, 1], -1],
      [[NaN, 2], 2],
      [[2, NaN], 2],
      [[Infinity, 1], 1],
      [[-Infinity, 1], -Infinity],
      [[1, 1 + ulp], 1],
    ]),
    alike('min', 'int', [
      [[-(2 ** 31), 0], -(2 ** 31)],
      [[-1, 1], -1],
      [[5, 3], 3],
    ]),
    alike('min', 'uint', [
      [[0xffffffff, 1], 1],
      [[0x80000000, 0x7fffffff], 0x7fffffff],
    ]),
  ],
  max: [
    alike('max', 'float', [
      [[1, 2], 2],
      [[-1, 1], 1],
      [[NaN, 2], 2],
      [[2, NaN], 2],
      [[Infinity, 1], Infinity],
      [[-Infinity, 1], 1],
      [[1, 1 + ulp], 1 + ulp],
    ]),
    alike('max', 'int', [
      [[-(2 ** 31), 0], 0],
      [[-1, 1], 1],
      [[5, 3], 5],
    ]),
    alike('max', 'uint', [
      [[0xffffffff, 1], 0xffffffff],
      [[0x80000000, 0x7fffffff], 0x80000000],
    ]),
  ],
  clamp: [
    alike('clamp', 'float', [
      [[5, 0, 1], 1],
      [[-5, 0, 1], 0],
      [[0.5, 0, 1], 0.5],
      [[Infinity, -1, 1], 1],
      [[-Infinity, -1, 1], -1],
    ]),
    alike('clamp', 'int', [
      [[-(2 ** 31), -2, 2], -2],
      [[7, -2, 2], 2],
      [[1, -2, 2], 1],
    ]),
    alike('clamp', 'uint', [
      [[0xffffffff, 1, 9], 9],
      [[0, 1, 9], 1],
    ]),
  ],
  lerp: [
    alike('lerp', 'float', [
      [[1, 3, 0.25], 1.5],
      [[0, 10, 2], 20],
      [[-1, 1, 0], -1],
      [[5, 7, 1], 7],
      [[NaN, 1, 0.5], NaN],
    ]),
  ],
  smoothstep: [
    alike(
      'smoothstep',
      'float',
      [
        [[0, 4, 1], 0.15625],
        [[2, 3, 1], 0],
        [[0, 1, 9], 1],
        [[0, 1, 0.5], 0.5],
      ],
      1e-6,
    ),
  ],
  step: [
    alike('step', 'float', [
      [[2, 1], 0],
      [[1, 1], 1],
      [[0, -0], 1],
      [[1 + ulp, 1], 0],
      [[-Infinity, 1], 1],
    ]),
  ],
  fmod: [
    alike(
      'fmod',
      'float',
      [
        [[5, 3], 2],
        [[-5, 3], -2],
        [[5, -3], 2],
        [[0.5, 0.25], 0],
        [[-0.75, 0.5], -0.25],
        [[1, 4], 1],
      ],
      1e-6,
    ),
  ],
  pow: [
    alike(
      'pow',
      'float',
      [
        [[2, 3], 8],
        [[3, -1], 1 / 3],
        [[2, 0.5], Math.SQRT2],
        [[0, 2], 0],
        [[1, 100], 1],
        [[0.25, 1.5], 0.125],
      ],
      1e-5,
    ),
  ],
  atan2: [
    alike(
      'atan2',
      'float',
      [
        [[1, 2], Math.atan2(1, 2)],
        [[-1, -4], Math.atan2(-1, -4)],
        [[2, -4], Math.atan2(2, -4)],
        [[0, 1], 0],
        [[1, 0], Math.PI / 2],
        [[-1, 0], -Math.PI / 2],
      ],
      1e-4,
    ),
  ],
  ldexp: [
    alike(
      'ldexp',
      'float',
      [
        [[0.75, 3], 6],
        [[-1, -2], -0.25],
        [[1, 0], 1],
        [[0, 5], 0],
        [[1 + ulp, 10], 1024 * (1 + ulp)],
      ],
      1e-6,
    ),
  ],
  and: joined('and', (x, y) => x & y),
  or: joined('or', (x, y) => x | y),
  select: [
    row('select($0, $1, $2)', ['bool', 'float', 'float'], 'float', [
      [[1, 2, 3], 2],
      [[0, 2, 3], 3],
      [[1, NaN, 3], NaN],
      [[0, NaN, 3], 3],
    ]),
    row('select($0, $1, $2)', ['bool2', 'int2', 'int2'], 'int2', [
      [
        [
          [1, 0],
          [1, 2],
          [3, 4],
        ],
        [1, 4],
      ],
    ]),
  ],
  NonUniformResourceIndex: [
    alike(
      'NonUniformResourceIndex',
      'uint',
      words.map((x) => [[x], x]),
    ),
  ],
  countbits: [
    alike('countbits', 'uint', [
      [[0], 0],
      [[1], 1],
      [[0xffffffff], 32],
      [[0x80000001], 2],
      [[0x0f0f0f0f], 16],
    ]),
  ],
  reversebits: [
    alike('reversebits', 'uint', [
      [[0], 0],
      [[1], 0x80000000],
      [[0x80000000], 1],
      [[0x12345678], 0x1e6a2c48],
      [[0xffffffff], 0xffffffff],
    ]),
  ],
  firstbitlow: [
    alike('firstbitlow', 'uint', [
      [[0], 0xffffffff],
      [[1], 0],
      [[0x80000000], 31],
      [[12], 2],
      [[0xffffffff], 0],
    ]),
  ],
  firstbithigh: [
    alike('firstbithigh', 'uint', [
      [[0], 0xffffffff],
      [[1], 0],
      [[0x80000000], 31],
      [[0x00010000], 16],
      [[0xffffffff], 31],
    ]),
    row('firstbithigh($0)', ['int'], 'uint', [
      [[0], 0xffffffff],
      [[-1], 0xffffffff],
      [[-2], 0],
      [[5], 2],
      [[-(2 ** 31)], 30],
      [[2 ** 31 - 1], 30],
    ]),
  ],
  f16tof32: [
    row('f16tof32($0)', ['uint'], 'float', [
      [[0x3c00], 1],
      [[0xc100], -2.5],
      [[0x0000], 0],
      [[0x7bff], 65504],
      [[0x7c00], Infinity],
      [[0xfc00], -Infinity],
      [[0x0001], 2 ** -24],
      [[0x0400], 2 ** -14],
      [[0x7e00], NaN],
      [[0xabcd3c00], 1],
    ]),
  ],
  f32tof16: [
    row('f32tof16($0)', ['float'], 'uint', [
      [[1], 0x3c00],
      [[-2.5], 0xc100],
      [[0], 0],
      [[65504], 0x7bff],
      [[Infinity], 0x7c00],
      [[-Infinity], 0xfc00],
      [[2 ** -24], 1],
      [[2 ** -14], 0x0400],
      [[1 / 3], 0x3555],
    ]),
  ],
};

const f2 = ['float2', 'float2'];
const f3 = ['float3', 'float3'];
const vectors: Record<string, readonly Row[]> = {
  all: [
    row('all($0)', ['int3'], 'uint', [
      [[[1, 2, 3]], 1],
      [[[1, 0, 3]], 0],
      [[[0, 0, 0]], 0],
    ]),
    row('all($0)', ['float2'], 'uint', [
      [[[-0, 1]], 0],
      [[[NaN, 1]], 1],
    ]),
  ],
  any: [
    row('any($0)', ['int3'], 'uint', [
      [[[1, 2, 3]], 1],
      [[[0, 0, 3]], 1],
      [[[0, 0, 0]], 0],
    ]),
    row('any($0)', ['float2'], 'uint', [
      [[[-0, 0]], 0],
      [[[NaN, 0]], 1],
    ]),
  ],
  cross: [
    row('cross($0, $1)', f3, 'float3', [
      [
        [
          [1, 2, 3],
          [0, 1, 0],
        ],
        [-3, 0, 1],
      ],
      [
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
        [0, 0, 1],
      ],
      [
        [
          [2, 3, 4],
          [5, 6, 7],
        ],
        [-3, 6, -3],
      ],
    ]),
  ],
  determinant: [
    row('determinant($0)', ['float2x2'], 'float', [
      [[[1, 2, 3, 4]], -2],
      [[[2, 0, 0, 2]], 4],
    ]),
    row('determinant($0)', ['float3x3'], 'float', [[[[2, 0, 1, 1, 3, 2, 0, 1, 1]], 3]]),
    row('determinant($0)', ['float4x4'], 'float', [[[[1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1]], -5]]),
  ],
  distance: [
    row(
      'distance($0, $1)',
      f2,
      'float',
      [
        [
          [
            [1, 2],
            [4, 6],
          ],
          5,
        ],
        [
          [
            [1, 1],
            [1, 1],
          ],
          0,
        ],
        [
          [
            [-3, 0],
            [0, 4],
          ],
          5,
        ],
      ],
      1e-6,
    ),
  ],
  dot: [
    row('dot($0, $1)', f3, 'float', [
      [
        [
          [1, 2, 3],
          [4, -5, 6],
        ],
        12,
      ],
      [
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
        0,
      ],
    ]),
    row('dot($0, $1)', ['int2', 'int2'], 'int', [
      [
        [
          [3, -4],
          [-4, 3],
        ],
        -24,
      ],
      [
        [
          [65537, 0],
          [65537, 0],
        ],
        131073,
      ],
      [
        [
          [-(2 ** 31), 1],
          [1, -1],
        ],
        2 ** 31 - 1,
      ],
    ]),
    row('dot($0, $1)', ['uint3', 'uint3'], 'uint', [
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        32,
      ],
      [
        [
          [0xffffffff, 1, 0],
          [1, 1, 0],
        ],
        0,
      ],
    ]),
  ],
  faceforward: [
    row('faceforward($0, $1, $2)', ['float2', 'float2', 'float2'], 'float2', [
      [
        [
          [1, 2],
          [0, 1],
          [3, 4],
        ],
        [-1, -2],
      ],
      [
        [
          [1, 2],
          [0, -1],
          [3, 4],
        ],
        [1, 2],
      ],
      [
        [
          [1, 2],
          [0, 0],
          [3, 4],
        ],
        [-1, -2],
      ],
    ]),
  ],
  length: [
    row(
      'length($0)',
      ['float2'],
      'float',
      [
        [[[3, -4]], 5],
        [[[0, 0]], 0],
        [[[1, 1]], Math.SQRT2],
      ],
      1e-6,
    ),
  ],
  normalize: [
    row(
      'normalize($0)',
      ['float2'],
      'float2',
      [
        [[[3, -4]], [0.6, -0.8]],
        [[[0, 5]], [0, 1]],
        [[[1, 1]], [Math.SQRT1_2, Math.SQRT1_2]],
      ],
      1e-5,
    ),
  ],
  reflect: [
    row('reflect($0, $1)', f2, 'float2', [
      [
        [
          [1, -1],
          [0, 1],
        ],
        [1, 1],
      ],
      [
        [
          [2, 3],
          [1, 0],
        ],
        [-2, 3],
      ],
      [
        [
          [1, 2],
          [0, 0],
        ],
        [1, 2],
      ],
    ]),
  ],
  refract: [
    row(
      'refract($0, $1, $2)',
      ['float2', 'float2', 'float'],
      'float2',
      [
        [
          [[Math.SQRT1_2, -Math.SQRT1_2], [0, 1], 0.5],
          [Math.SQRT1_2 / 2, -Math.sqrt(1 - 0.125)],
        ],
        [
          [[1, 0], [0, 1], 2],
          [0, 0],
        ],
        [
          [[0, -1], [0, 1], 1],
          [0, -1],
        ],
      ],
      1e-5,
    ),
  ],
  transpose: [
    row('transpose($0)', ['float2x3'], 'float3x2', [[[[1, 2, 3, 4, 5, 6]], [1, 4, 2, 5, 3, 6]]]),
    row('transpose($0)', ['int2x2'], 'int2x2', [[[[1, 2, 3, 4]], [1, 3, 2, 4]]]),
    row('transpose($0)', ['bool2x2'], 'uint2x2', [[[[1, 1, 0, 0]], [1, 0, 1, 0]]]),
  ],
  mul: [
    row('mul($0, $1)', ['float', 'float'], 'float', [[[3, -2], -6]]),
    row('mul($0, $1)', ['float', 'float2'], 'float2', [
      [
        [2, [3, 4]],
        [6, 8],
      ],
    ]),
    row('mul($0, $1)', ['float2', 'float'], 'float2', [
      [
        [[3, 4], 2],
        [6, 8],
      ],
    ]),
    row('mul($0, $1)', f3, 'float', [
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        32,
      ],
    ]),
    row('mul($0, $1)', ['float2', 'float2x3'], 'float3', [
      [
        [
          [1, 2],
          [1, 2, 3, 4, 5, 6],
        ],
        [9, 12, 15],
      ],
    ]),
    row('mul($0, $1)', ['float2x3', 'float3'], 'float2', [
      [
        [
          [1, 2, 3, 4, 5, 6],
          [1, 2, 3],
        ],
        [14, 32],
      ],
    ]),
    row('mul($0, $1)', ['float2x3', 'float3x2'], 'float2x2', [
      [
        [
          [1, 2, 3, 4, 5, 6],
          [1, 2, 3, 4, 5, 6],
        ],
        [22, 28, 49, 64],
      ],
    ]),
    row('mul($0, $1)', ['float', 'float2x2'], 'float2x2', [
      [
        [2, [1, 2, 3, 4]],
        [2, 4, 6, 8],
      ],
    ]),
    row('mul($0, $1)', ['float2x2', 'float'], 'float2x2', [
      [
        [[1, 2, 3, 4], 3],
        [3, 6, 9, 12],
      ],
    ]),
    row('mul($0, $1)', ['int2x2', 'int2'], 'int2', [
      [
        [
          [1, 2, 3, -4],
          [5, 6],
        ],
        [17, -9],
      ],
      [
        [
          [65537, 0, 0, 1],
          [65537, 2],
        ],
        [131073, 2],
      ],
    ]),
    row('mul($0, $1)', ['uint2', 'uint2x2'], 'uint2', [
      [
        [
          [1, 0xffffffff],
          [1, 2, 3, 4],
        ],
        [0xfffffffe, 0xfffffffe],
      ],
    ]),
  ],
};

const doubles: Record<string, readonly Row[]> = {
  fma: [
    row('(float)fma((double)$0, (double)$1, (double)$2)', ['float', 'float', 'float'], 'float', [
      [[2, 3, 4], 10],
      [[-0.5, 8, 1], -3],
      [[1 + ulp, 1 - ulp, -1], -(2 ** -46)],
    ]),
  ],
};

/** By group, then by the row's key. Metal has no doubles. */
export const tables = { single, several, vectors, doubles };
