/**
 * Every row of the intrinsic table that can be folded, called with values whose results are known from elsewhere: JavaScript's functions or
 * counted by hand. The interpreter takes such rows from their own `fold`, so only this tells a wrong one. Each call is made with values
 * from a buffer, for devices to compute, and with constants, for the optimizer to fold.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { families, intrinsicByKey } from '../../src/intrinsics/table.ts';
import type { Module } from '../../src/ir/ir.ts';
import { walkModule } from '../../src/ir/walk.ts';
import { toModule, toSpirv } from '../support/compile.ts';
import { interpretCompute } from '../support/interpreter/interpret.ts';
import { runMetal } from '../support/metal-runner.ts';
import { type BufferResource, uints, zeros } from '../support/resources.ts';
import { describeWith } from '../support/tools.ts';
import { closeVulkan, runCompute } from '../support/vulkan.ts';
import { edges, type Row, type Sample, tables } from './fold-samples.ts';

type Group = Readonly<Record<string, readonly Row[]>>;
type Form = 'buffer' | 'constants';

const scalarOf = (type: string): string => type.replace(/[\dx]+$/, '');

const floatWord = new DataView(new ArrayBuffer(4));
function wordOf(value: number, scalar: string): number {
  if (scalar !== 'float') return value >>> 0;
  floatWord.setFloat32(0, value);
  return floatWord.getUint32(0);
}

/** A value of a type from words, each given as text. */
function fromWords(type: string, words: readonly string[]): string {
  const scalar = scalarOf(type);
  const parts = words.map((word) =>
    scalar === 'float' ? `asfloat(${word})` : scalar === 'bool' ? `(${word} != 0)` : `(${scalar})${word}`,
  );
  return parts.length === 1 ? parts[0]! : `${type}(${parts.join(', ')})`;
}

/** How a result's components are read. */
function partsOf(type: string): string[] {
  const [, rows, columns] = /(\d)x(\d)$/.exec(type) ?? [];
  if (rows && columns)
    return Array.from(
      { length: Number(rows) * Number(columns) },
      (_, i) => `[${Math.floor(i / Number(columns))}][${i % Number(columns)}]`,
    );
  const count = /\d$/.exec(type)?.[0];
  return count ? [...'xyzw'.slice(0, Number(count))].map((letter) => `.${letter}`) : [''];
}

interface Check {
  title: string;
  wanted: number;
  scalar: string;
  tolerance: number;
}

/** A shader that makes all calls of a group, its input words, and what each word of its output must be. */
function programOf(group: Group, form: Form) {
  const input: number[] = [];
  const checks: Check[] = [];
  const lines: string[] = [];
  const callOf = (row: Row, sample: Sample): string => {
    const args = row.parameters.map((type, i) => {
      const values = [sample.of[i]!].flat();
      const words = values.map((value) => wordOf(value, scalarOf(type)));
      const texts = words.map((word) => {
        input.push(word);
        return form === 'buffer' ? `a[${input.length - 1}]` : `0x${word.toString(16)}u`;
      });
      return fromWords(type, texts);
    });
    return row.call.replace(/\$(\d)/g, (_, i: string) => args[Number(i)]!);
  };
  for (const rows of Object.values(group))
    for (const row of rows)
      for (const sample of row.samples) {
        const scalar = scalarOf(row.result);
        lines.push(`{ ${row.result} r = ${callOf(row, sample)};`);
        const values = [sample.gives].flat();
        partsOf(row.result).forEach((part, i) => {
          const text = scalar === 'float' ? `asuint(r${part})` : `(uint)r${part}`;
          lines.push(`o[${checks.length}] = ${text};`);
          const title = `${row.call} of ${JSON.stringify(sample.of.map(String))}${part}, from ${form},`;
          checks.push({ title, wanted: values[i]!, scalar, tolerance: row.tolerance ?? 0 });
        });
        lines.push('}');
      }
  const text = `RWStructuredBuffer<uint> o : register(u0);
StructuredBuffer<uint> a : register(t1);
[numthreads(1, 1, 1)]
void main()
{
${lines.join('\n')}
}
`;
  const bindings = () => ({ '0.0': zeros(checks.length), '0.1': uints(...input) });
  return { text, checks, bindings };
}

function compare(way: string, bytes: Uint8Array, checks: readonly Check[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wrong = checks.flatMap(({ title, wanted, scalar, tolerance }, i) => {
    const got = scalar === 'float' ? view.getFloat32(4 * i, true) : view.getUint32(4 * i, true);
    const want = scalar === 'float' ? Math.fround(wanted) : wanted >>> 0;
    const isSame = got === want || (Number.isNaN(got) && Number.isNaN(want));
    const isNear = Math.abs(got - want) <= tolerance * Math.max(1, Math.abs(want));
    return isSame || isNear ? [] : [`${title} gives ${got}, not ${want}`];
  });
  expect(wrong, way).toEqual([]);
}

const options = { profile: 'cs_6_0', entry: 'main' } as const;
const forms = ['buffer', 'constants'] as const;

/** Calls of foldable rows that are left in a module. */
function leftIn(module: Module): string[] {
  const left: string[] = [];
  walkModule(module, ({ op, intrinsic }) => {
    const row = op === 'intrinsic' ? intrinsicByKey(intrinsic!) : undefined;
    if (row?.fold || row?.foldWhole) left.push(row.key);
  });
  return left;
}

test('every foldable row has samples, with edge values where it takes single numbers', () => {
  const samples = Object.assign({}, ...Object.values(tables)) as Group;
  const foldable = Object.values(families)
    .flat()
    .filter(({ fold, foldWhole, name }) => (fold || foldWhole) && name !== '')
    .map(({ key }) => key);
  expect(foldable.filter((key) => !samples[key])).toEqual([]);
  expect(Object.keys(samples).filter((key) => !foldable.includes(key))).toEqual([]);
  const few = foldable.filter((key) => samples[key]!.reduce((sum, row) => sum + row.samples.length, 0) < 3);
  expect(few).toEqual([]);
  expect(edges.length).toBeGreaterThan(10);
});

/** Words that are no number stay words: their bits would be lost. */
function withoutNaN(group: Group): Group {
  const isNumber = ({ of }: Sample): boolean => !of.flat().some(Number.isNaN);
  const plain = (row: Row): Row => ({ ...row, samples: row.samples.filter(isNumber) });
  return Object.fromEntries(Object.entries(group).map(([key, rows]) => [key, rows.map(plain)]));
}

test.each(Object.entries(tables))('calls with constants are folded: %s', (_, group) => {
  const { text } = programOf(withoutNaN(group), 'constants');
  expect(leftIn(toModule(text, { ...options, optimize: 1 }, 'passed'))).toEqual([]);
});

for (const [name, group] of Object.entries(tables)) {
  for (const form of forms) {
    const { text, checks, bindings } = programOf(group, form);

    describe(`folded rows: ${name}, from ${form}`, () => {
      test.each([0, 1, 2, 3] as const)('interpreter, -O%i', (optimize) => {
        const module = toModule(text, { ...options, optimize }, 'passed');
        const used = bindings();
        interpretCompute(module, [1, 1, 1], { bindings: used });
        compare(`-O${optimize}`, (used['0.0'] as BufferResource).bytes, checks);
      });
    });

    describeWith(['lavapipe', 'g++'], `folded rows: ${name}, from ${form}`, () => {
      afterAll(closeVulkan);
      test.each([0, 3] as const)('lavapipe, -O%i', async (optimize) => {
        const spirv = toSpirv(text, { ...options, optimize });
        const job = { spirv, entry: 'main', dispatch: [1, 1, 1] as const, bindings: bindings() };
        const { resources } = await runCompute(job);
        compare(`-O${optimize}`, resources['0.0']![0]!, checks);
      });
    });

    if (name !== 'doubles')
      describeWith(['clang'], `folded rows: ${name}, from ${form}`, () => {
        test.each([0, 3] as const)('Metal text, -O%i', async (optimize) => {
          const run = { text, options: { ...options, optimize }, dispatch: [1, 1, 1] as const };
          const result = (await runMetal({ ...run, bindings: bindings() })) as Record<string, Uint8Array[]>;
          compare(`-O${optimize}`, result['0.0']![0]!, checks);
        });
      });
  }
}
