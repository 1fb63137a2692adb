/** Modules with debug information, and what tests look up in them by the names of the source. */
import { type CompileOptions, compile } from '../../src/compile.ts';
import { walkBlock } from '../../src/spirv/verify-debug-code.ts';
import { type DebugModule, type ReadRecord, readDebug, wordsOf } from './debug-records.ts';

export interface DebugBuild {
  bytes: Uint8Array;
  words: Uint32Array;
  module: DebugModule;
}

/** A compute shader (unless told otherwise) with all debug information and without optimizer (unless told otherwise). */
export function debugBuild(text: string, options: Partial<CompileOptions> = {}): DebugBuild {
  const result = compile({
    source: { name: 'main.hlsl', text },
    profile: 'cs_6_0',
    optimize: false,
    debugInfo: true,
    ...options,
  });
  if (!result.spirv) throw new Error(result.diagnostics.map(({ rendered }) => rendered).join('\n'));
  const words = wordsOf(result.spirv);
  return { bytes: result.spirv, words, module: readDebug(words) };
}

/** A compute shader with a buffer `o` of floats; the body's first line is line `bodyLine` of the file if nothing stands before. */
export function shader(body: string, before = ''): string {
  const head = 'RWStructuredBuffer<float> o;\n';
  return `${head}${before}[numthreads(1, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID)\n{\n${body}\n}\n`;
}
export const bodyLine = 5;

export interface LinePlace {
  file: string;
  line: number;
  endLine: number;
  column: number;
  endColumn: number;
}

/** The DebugLines in the order of the module. */
export function linePlaces({ module }: DebugBuild): LinePlace[] {
  return module.all('DebugLine').map(({ operands }) => {
    const [line, endLine, column, endColumn] = operands.slice(1).map((id) => module.number(id));
    return {
      file: sourceName(module, operands[0]!),
      line: line!,
      endLine: endLine!,
      column: column!,
      endColumn: endColumn!,
    };
  });
}

/** `file:line` of the DebugLines, neighbours made one. */
export function lineSequence(build: DebugBuild): string[] {
  const all = linePlaces(build).map(({ file, line }) => `${file}:${line}`);
  return all.filter((line, i) => line !== all[i - 1]);
}

/** `file:line` of the places where a debugger stops: lines of instructions that do something, neighbours made one. */
export function stepSequence({ module }: DebugBuild): string[] {
  const steps: string[] = [];
  for (const { blocks } of module.functions)
    for (const block of blocks)
      walkBlock(module, block, (_, { line }, record) => {
        if (record || line?.name !== 'DebugLine') return;
        steps.push(`${sourceName(module, line.operands[0]!)}:${module.number(line.operands[1])}`);
      });
  return steps.filter((step, i) => step !== steps[i - 1]);
}

export function sourceName(module: DebugModule, id: number): string {
  return module.text(module.byId.get(id)?.operands[0]);
}

export interface LocalVariable {
  name: string;
  record: ReadRecord;
  type: ReadRecord;
  parent: ReadRecord;
  line: number;
  column: number;
  flags: number;
  argument: number | undefined;
}

export function localVariables({ module }: DebugBuild): LocalVariable[] {
  return module.all('DebugLocalVariable').map((record) => {
    const [name, type, , line, column, parent, flags, argument] = record.operands;
    return {
      name: module.text(name),
      record,
      type: module.byId.get(type!)!,
      parent: module.byId.get(parent!)!,
      line: module.number(line),
      column: module.number(column),
      flags: module.number(flags),
      argument: argument === undefined ? undefined : module.number(argument),
    };
  });
}

/** The record of a kind that has the name. */
export function named({ module }: DebugBuild, kind: string, name: string): ReadRecord {
  const found = module.all(kind).find(({ operands }) => module.text(operands[0]) === name);
  if (!found) throw new Error(`no ${kind} is named ${name}`);
  return found;
}

/** A type as text: `float`, `float3`, `float2[3]`, `struct S`, `@type.2d.image`. */
export function typeText(module: DebugModule, record: ReadRecord | undefined): string {
  const operands = record?.operands ?? [];
  const inner = (): string => typeText(module, module.byId.get(operands[0]!));
  switch (record?.name) {
    case 'DebugTypeBasic':
      return module.text(operands[0]);
    case 'DebugTypeVector':
      return `${inner()}${module.number(operands[1])}`;
    case 'DebugTypeMatrix':
      return `${module.number(operands[1])} x ${inner()}`;
    case 'DebugTypeArray':
      return (
        inner() +
        operands
          .slice(1)
          .map((id) => `[${module.number(id)}]`)
          .join('')
      );
    case 'DebugTypeComposite': {
      const name = module.text(operands[0]);
      return name.startsWith('@') ? name : `struct ${name}`;
    }
    default:
      return record?.name ?? 'none';
  }
}
