import { describe, expect, it } from 'vitest';
import type { CallArgument, Intrinsic, Match } from '../../src/intrinsics/intrinsic.ts';
import { keep } from '../../src/intrinsics/intrinsic.ts';
import { type Signature, signatureOf, type TypeReference } from '../../src/intrinsics/notation.ts';
import { matchIntrinsic } from '../../src/intrinsics/signature.ts';
import {
  families,
  findFunctions,
  findMethods,
  intrinsicByKey,
  operandNames,
} from '../../src/intrinsics/table.ts';
import { Builder } from '../../src/ir/builder.ts';
import type { Instruction, Module, Value } from '../../src/ir/ir.ts';
import { validate } from '../../src/ir/validate.ts';
import { walkModule } from '../../src/ir/walk.ts';
import { expandIntrinsics } from '../../src/passes/expand-intrinsics.ts';
import { PositionTable, type Scope } from '../../src/source/position.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import {
  array,
  type BufferKind,
  buffer,
  floatType,
  intType,
  literalFloat,
  literalInt,
  matrix,
  pointer,
  type StructType,
  sampler,
  scalar,
  type TextureType,
  type Type,
  texture,
  typeName,
  uintType,
  vector,
  voidType,
} from '../../src/types/type.ts';

const rows = Object.values(families).flat();

describe('the table', () => {
  it('has unique keys', () => {
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    for (const row of rows) expect(intrinsicByKey(row.key)).toBe(row);
  });

  it.each(Object.entries(families))('%s is in alphabetical order', (_, family) => {
    const keys = family.map((row) =>
      row.key
        .toLowerCase()
        .replace(/^texture\./, '')
        .replace(/^buffer\./, ''),
    );
    expect(keys).toEqual([...keys].sort());
  });

  it.each(rows.filter((row) => !row.refused).map((row) => [row.key, row] as const))(
    '%s is complete',
    (_, row) => {
      expect(row.overloads.length).toBeGreaterThan(0);
      for (const text of row.overloads) expect(signatureOf(text).name).toBe(row.name || row.key);
      expect(row.spirv ?? row.expand).toBeDefined();
      // Residency is nothing that a value could be worked out for.
      const own = row.objects !== undefined || row.key === 'CheckAccessFullyMapped';
      const spelled = row.spirv?.kind === 'ext' || row.spirv?.kind === 'op';
      // What is pure and left to the target has a definition of its own; what expands is defined by that.
      if (row.effects === 'none' && spelled && !own) expect(row.fold ?? row.foldWhole).toBeDefined();
    },
  );

  it('refuses by saying why', () => {
    for (const row of rows.filter((row) => row.refused)) {
      const chosen = matchIntrinsic([row], []);
      expect(chosen).toEqual({ failure: `'${row.name}' is not supported: ${row.refused}` });
    }
  });

  it('finds functions and methods by name', () => {
    expect(findFunctions('nothing')).toEqual([]);
    expect(findFunctions('atomic.add')).toEqual([]);
    expect(findFunctions('Sample')).toEqual([]);
    expect(findMethods(floatType, 'Sample')).toEqual([]);
    expect(findMethods(objectNamed('Texture2D'), 'Sample').map((row) => row.key)).toEqual(['texture.Sample']);
    expect(findMethods(objectNamed('RWByteAddressBuffer'), 'Load').map((row) => row.key)).toEqual([
      'buffer.Load.bytes',
    ]);
    expect(findMethods(objectNamed('ByteAddressBuffer'), 'Store')).toEqual([]);
  });
});

// ---- a call of every overload

const particle: StructType = {
  kind: 'struct',
  name: 'Particle',
  keyword: 'struct',
  location: 1,
  members: [
    { name: 'position', type: vector(floatType, 3), location: 1, modifiers: [], attributes: [] },
    { name: 'alive', type: scalar('bool'), location: 1, modifiers: [], attributes: [] },
    {
      name: 'frame',
      type: matrix(floatType, 2, 3),
      location: 1,
      modifiers: [],
      attributes: [],
      matrixOrder: 'row_major',
    },
    {
      name: 'ids',
      type: array(vector(scalar('uint64_t'), 2), 2),
      location: 1,
      modifiers: [],
      attributes: [],
    },
    { name: 'weights', type: vector(scalar('half'), 3), location: 1, modifiers: [], attributes: [] },
  ],
};

function objectNamed(name: string): Type {
  const base = name.replace(/^RW|^RasterizerOrdered/, '');
  if (name.includes('ByteAddress')) return buffer(name as BufferKind, uintType);
  if (name.includes('Structured')) return buffer(name as BufferKind, particle);
  const dimension = /1D|2D|3D|Cube|Subpass/.exec(base)?.[0] ?? 'Buffer';
  return texture({
    dimension: dimension as TextureType['dimension'],
    arrayed: base.includes('Array'),
    multisampled: base.includes('MS'),
    writable: name !== base,
    rasterizerOrdered: name.startsWith('Raster'),
    element: vector(floatType, 4),
    name,
  });
}

/** What a variable may be: every element of its class in a few shapes. */
function* choices(signature: Signature): Generator<Map<string, Type>> {
  const names = [...signature.variables.keys()];
  if (names.length === 0) yield new Map();
  for (const name of names) {
    const { elements, shape } = signature.variables.get(name)!;
    for (const word of elements) {
      if (word.startsWith('literal')) continue;
      const element = scalar(word);
      const types =
        shape === 'scalar'
          ? [element]
          : shape === 'vector'
            ? [element, vector(element, 1), vector(element, 3)]
            : shape === 'square'
              ? [matrix(element, 1, 1), matrix(element, 3, 3)]
              : shape === 'matrix'
                ? [matrix(element, 2, 3), matrix(element, 1, 4)]
                : typeof shape === 'number'
                  ? [vector(element, shape)]
                  : [
                      element,
                      vector(element, 1),
                      vector(element, 4),
                      matrix(element, 2, 3),
                      matrix(element, 3, 1),
                    ];
      for (const type of types) yield new Map([[name, type]]);
    }
  }
}

const sizes = { R: 2, C: 3, K: 4 };

function argumentType(reference: TypeReference, chosen: Map<string, Type>): Type {
  const elementOfChosen = (name: string) => {
    const type = chosen.get(name)!;
    return type.kind === 'vector' || type.kind === 'matrix'
      ? type.element
      : type.kind === 'scalar'
        ? type
        : floatType;
  };
  switch (reference.kind) {
    case 'fixed':
      return reference.type;
    case 'sampler':
      return sampler(reference.comparison ?? false);
    case 'template':
      return particle;
    case 'object':
      // A literal splats to whatever is needed.
      return reference.word === 'element'
        ? particle
        : reference.word === 'location' || reference.word === 'direction'
          ? literalFloat
          : literalInt;
    case 'sized': {
      const element = elementOfChosen(reference.element);
      const size = (name: string) => sizes[name as keyof typeof sizes];
      return reference.rows
        ? matrix(element, size(reference.rows), size(reference.columns))
        : vector(element, size(reference.columns));
    }
    case 'variable':
      if (reference.part === 'scalar') return elementOfChosen(reference.name);
      if (typeof reference.part === 'object') {
        const type = chosen.get(reference.name)!;
        return type.kind === 'vector'
          ? vector(reference.part, type.count)
          : type.kind === 'matrix'
            ? matrix(reference.part, type.rows, type.columns)
            : reference.part;
      }
      return chosen.get(reference.name)!;
  }
}

interface Call {
  row: Intrinsic;
  overload: number;
  object: Type | undefined;
  match: Match;
}

function* calls(row: Intrinsic, wide: boolean): Generator<Call | string> {
  for (const objectName of row.objects ?? [undefined]) {
    const object = objectName === undefined ? undefined : objectNamed(objectName);
    for (const [overload, text] of row.overloads.entries()) {
      const signature = signatureOf(text);
      const hasOffset = !objectName?.includes('Cube');
      const parameters = signature.parameters.filter(
        (p) => hasOffset || p.type.kind !== 'object' || p.type.word !== 'offset',
      );
      const least = parameters.filter((p) => !p.optional).length;
      for (const chosen of choices(signature)) {
        for (let count = least; count <= parameters.length; count++) {
          const args = parameters
            .slice(0, count)
            .map((p): CallArgument => ({ type: argumentType(p.type, chosen), lvalue: true }));
          const environment = {
            enable16BitTypes: wide,
            ...(object && { objectType: object }),
            ...(text.includes('template') && { templateArgs: [particle] }),
          };
          const found = matchIntrinsic([row], args, environment);
          if ('failure' in found) yield found.failure;
          else yield { row, overload, object, match: found.match };
        }
      }
    }
  }
}

function emptyModule(wide: boolean): Module {
  const map = new SourceMap();
  map.add('main.hlsl', 'float f;\n'.repeat(9), 0);
  const unit: Scope = { kind: 'unit', location: 1 };
  const scope: Scope = { kind: 'function', parent: unit, location: 1, name: 'main' };
  return {
    sourceMap: map,
    positions: new PositionTable(map),
    unit,
    functions: [
      {
        kind: 'function',
        name: 'main',
        parameters: [],
        returnType: voidType,
        body: { parameters: [], instructions: [] },
        scope,
        entry: { stage: 'pixel', name: 'main', inputs: [], outputs: [], attributes: [] },
        attributes: [],
      },
    ],
    globals: [],
    debugVariables: [],
    enable16BitTypes: wide,
  };
}

/** A module that makes the calls, each with operands of the types that were matched. */
function moduleOf(list: readonly Call[], wide: boolean): Module {
  const module = emptyModule(wide);
  const main = module.functions[0]!;
  const builder = new Builder(module);
  builder.at(module.positions.intern(3, 5, main.scope)).into(main.body);
  const places = new Map<Type, Value>();
  const resource = (type: Type): Value => {
    let global = places.get(type);
    if (!global) {
      global = {
        kind: 'global',
        name: `g${module.globals.length}`,
        type: pointer('resource', type),
        role: {
          kind: 'resource',
          binding: { set: 0, binding: module.globals.length },
          coherent: false,
          attributes: [],
        },
        location: 1,
      };
      places.set(type, global);
      module.globals.push(global);
    }
    return global;
  };
  const variable = (type: Type): Value => {
    const place = builder.var(type, 'place');
    // Variables stand in front of everything else.
    main.body.instructions.unshift(main.body.instructions.pop()!);
    return place;
  };
  for (const { row, object, match } of list) {
    const args = match.parameters.map(({ type, mode }): Value => {
      if (type.kind === 'sampler') return resource(type);
      return mode === 'in' ? builder.load(variable(type)) : variable(type);
    });
    builder.intrinsic(row.key, match.result, object ? [resource(object), ...args] : args);
  }
  builder.return();
  return module;
}

const callable = rows.filter((row) => row.name !== '' && !row.refused);

describe.each([false, true])('every overload, 16-bit types %s', (wide) => {
  it.each(callable.map((row) => [row.key, row] as const))('%s', (_, row) => {
    const list: Call[] = [];
    for (const call of calls(row, wide)) {
      if (typeof call === 'string') {
        // Half is no 32-bit type once there are 16-bit types.
        if (!/cannot have the element type '(half|min\w+|float16_t)'/.test(call)) expect.fail(call);
      } else {
        expect(call.match.row).toBe(row);
        list.push(call);
      }
    }
    expect(list.length).toBeGreaterThan(0);
    const module = moduleOf(list, wide);
    expect(validate(module)).toEqual([]);
    expandIntrinsics(module);
    expect(validate(module)).toEqual([]);
    walkModule(module, (instruction) => {
      expect(instruction.position).toBe(1);
      if (instruction.op === 'intrinsic') checkLeft(instruction, module);
    });
  });
});

/** A call that targets see: spelled, with operands whose roles are known, and without matrices they have to split. */
function checkLeft(instruction: Instruction, module: Module): void {
  const row = intrinsicByKey(instruction.intrinsic!)!;
  expect(row.spirv, row.key).toBeDefined();
  expect(operandNames(instruction)).toHaveLength(instruction.operands.length);
  const matrices = [...instruction.operands, ...instruction.results].filter(
    (value) => value.type.kind === 'matrix',
  );
  if (!row.wholeMatrix) expect(matrices, row.key).toEqual([]);
  for (const { type } of matrices)
    expect(typeName(type)).toMatch(/^(float|half|float16_t|double|min1[06]float)[2-4]x[2-4]$/);
  if (row.expand) {
    const builder = new Builder(module);
    expect(row.expand(builder.at(1).into(builder.newBlock()), instruction.operands, instruction)).toBe(keep);
  }
}

describe('operand roles', () => {
  const roles = (object: string, name: string, types: Type[]) => {
    const objectType = objectNamed(object);
    const found = matchIntrinsic(
      findMethods(objectType, name),
      types.map((type) => ({ type, lvalue: true })),
      { objectType },
    );
    if ('failure' in found) return found.failure;
    const module = moduleOf(
      [{ row: found.match.row, overload: 0, object: objectType, match: found.match }],
      false,
    );
    expandIntrinsics(module);
    const all: string[] = [];
    walkModule(module, (instruction) => {
      if (instruction.op === 'intrinsic')
        all.push(`${instruction.intrinsic} ${operandNames(instruction).join(' ')}`);
    });
    return all.join('; ');
  };
  const [plain, comparison] = [sampler(false), sampler(true)];
  it.each<[string, string, Type[], string]>([
    ['Texture2D', 'Sample', [plain, literalFloat], 'texture.Sample object sampler location'],
    [
      'Texture2D',
      'Sample',
      [plain, literalFloat, literalInt],
      'texture.Sample object sampler location offset',
    ],
    [
      'TextureCube',
      'Sample',
      [plain, literalFloat, literalInt],
      'texture.Sample object sampler location clamp',
    ],
    [
      'TextureCube',
      'Sample',
      [plain, literalFloat, literalInt, uintType],
      'texture.Sample object sampler location clamp status',
    ],
    [
      'Texture2D',
      'Gather',
      [plain, literalFloat, literalInt],
      'texture.gather object sampler location component offset',
    ],
    [
      'TextureCube',
      'GatherGreen',
      [plain, literalFloat, uintType],
      'texture.gather object sampler location component status',
    ],
    [
      'Texture2D',
      'GatherBlue',
      [plain, literalFloat, literalInt, literalInt, literalInt, literalInt],
      'texture.gather object sampler location component offset1 offset2 offset3 offset4',
    ],
    [
      'Texture2D',
      'SampleCmpLevelZero',
      [comparison, literalFloat, literalFloat],
      'texture.SampleCmpLevel object sampler location compareValue lod',
    ],
    [
      'Texture2D',
      'Load',
      [literalInt, literalInt, uintType],
      'texture.fetch-level object location lod status',
    ],
    [
      'Texture2DMS',
      'Load',
      [literalInt, literalInt, literalInt, uintType],
      'texture.fetch-sample object location sampleIndex status',
    ],
    ['RWTexture2D', 'Load', [literalInt, uintType], 'texture.fetch object location status'],
    ['Texture2D', 'Load', [literalInt, literalInt], ''],
    ['Texture2DArray', 'GetDimensions', [uintType, uintType, uintType], 'texture.query-size object lod'],
    [
      'Texture2DMS',
      'GetDimensions',
      [intType, floatType, uintType],
      'texture.query-size object; texture.query-samples object',
    ],
  ])('%s.%s %#', (object, name, types, expected) => {
    expect(roles(object, name, types)).toBe(expected);
  });
});
