import { describe, expect, it } from 'vitest';
import { keep } from '../../src/intrinsics/intrinsic.ts';
import { signatureOf } from '../../src/intrinsics/notation.ts';
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
  floatType,
  intType,
  literalFloat,
  literalInt,
  pointer,
  sampler,
  type Type,
  typeName,
  uintType,
  voidType,
} from '../../src/types/type.ts';
import { type Call, calls, objectNamed } from '../support/intrinsic-calls.ts';

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
      expect(row.spirv ?? row.expand ?? row.readsInput).toBeDefined();
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

const callable = rows.filter(
  (row) => row.name !== '' && !row.refused && row.key !== 'printf' && !row.readsInput,
);

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
      [{ row: found.match.row, overload: 0, object: objectType, match: found.match, args: [] }],
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
