import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { disassemble } from '../../src/spirv/disassemble.ts';
import { bytesOf, compileText, emitText } from '../support/spirv.ts';
import { requireTool, testWith } from '../support/tools.ts';

const text = `struct S { float3 a; bool b; double d; half h; int64_t l; };
RWStructuredBuffer<S> s; Texture2D t; SamplerState p; static const float k = -1.5e-7;
[numthreads(8, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  switch (id.x) { case 1: s[0].a = t.SampleLevel(p, s[1].a.xy, k).xyz; break; default: s[0].l = -3; }
  s[2].d = 0.1; s[2].h = 1.0 / 3; for (uint i = 0; i < id.y; i++) s[i].b = !s[i].b; }`;

testWith(['spirv-as'], 'an assembler makes the same words of the text', () => {
  for (const options of [{}, { debugInfo: true as const }]) {
    const { bytes, text: shown } = compileText(text, {
      profile: 'cs_6_2',
      enable16BitTypes: true,
      ...options,
    });
    const again = execFileSync(requireTool('spirv-as'), ['--target-env', 'spv1.5', '-o', '-', '-'], {
      input: shown,
    });
    // Ids are numbered anew by the assembler, so the text of the result is compared, where names stand for most of them.
    const words = new Uint32Array(again.buffer.slice(again.byteOffset, again.byteOffset + again.byteLength));
    const plain = (what: string) =>
      what
        .split('\n')
        .slice(5)
        .map((line) => line.trim().replace(/%\d+/g, '%'))
        .join('\n');
    expect(plain(disassemble(words))).toBe(plain(shown));
    expect(again.byteLength).toBe(bytes.byteLength);
  }
});

test('offsets and colours', () => {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g');
  const { words } = emitText('function main(): void entry compute "main" threads 1 1 1 {\nreturn\n}');
  expect(disassemble(words, { offsets: true })).toMatch(/OpCapability Shader ; 0x00000014\n/);
  expect(disassemble(words, { color: true })).toContain('\u001b[');
  expect(disassemble(words, { color: true }).replaceAll(escapes, '')).toBe(disassemble(words));
});

test('what is no module, or a broken one, is said or cut, never a crash', () => {
  expect(disassemble(new Uint32Array([1, 2, 3]))).toBe('; not SPIR-V\n');
  const { words } = emitText('function main(): void entry compute "main" threads 1 1 1 {\nreturn\n}');
  expect(bytesOf(words).length).toBe(words.length * 4);
  for (let length = 5; length < words.length; length++)
    expect(() => disassemble(words.slice(0, length))).not.toThrow();
  const noise = words.map((word, i) => (i < 5 ? word : (word * 2654435761) >>> 0));
  expect(() => disassemble(noise)).not.toThrow();
});
