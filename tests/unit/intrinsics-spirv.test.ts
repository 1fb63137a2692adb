import { expect, it } from 'vitest';
import type { Intrinsic } from '../../src/intrinsics/intrinsic.ts';
import { families } from '../../src/intrinsics/table.ts';
import { typeName } from '../../src/types/type.ts';
import { toSpirv } from '../support/compile.ts';
import { type Call, calls } from '../support/intrinsic-calls.ts';
import { describeWith, validateSpirv, validationFlags } from '../support/tools.ts';

/** The whole way: every overload called in HLSL, and the module that comes of it is valid. */

const rows = Object.values(families)
  .flat()
  .filter((row) => row.name !== '' && !row.refused && row.key !== 'printf' && !row.readsInput);

const particle = `struct Particle {
  float3 position; bool alive; row_major float2x3 frame; uint64_t2 ids[2]; half3 weights;
};`;

function objectText(name: string): string {
  if (name.includes('ByteAddress')) return name;
  const scope = name.startsWith('Sampled') ? 'vk::' : '';
  return `${scope}${name}<${name.includes('Structured') ? 'Particle' : 'float4'}>`;
}

/** A shader with all the calls on one object. */
function shaderOf(row: Intrinsic, list: readonly Call[], stage: 'ps' | 'cs'): string {
  const globals: string[] = [];
  const body: string[] = [];
  const object =
    list[0]!.object &&
    row.objects?.find(
      (name) => typeName(list[0]!.object!).startsWith(`${name}<`) || typeName(list[0]!.object!) === name,
    );
  if (object)
    globals.push(
      `${object.startsWith('Subpass') ? '[[vk::input_attachment_index(0)]] ' : ''}${objectText(object)} object;`,
    );
  let next = 0;
  for (const { match, args, overload } of list) {
    const texts = match.parameters.map(({ name, type, mode, reference }, i) => {
      const given = args[i]!.type;
      const variable = `v${next++}`;
      if (type.kind === 'sampler') globals.push(`${typeName(type)} ${variable};`);
      else if (reference) globals.push(`groupshared ${typeName(type)} ${variable};`);
      else if (name === 'scope') return '3';
      else if (mode === 'in' && typeName(given) === 'literal int') return '1';
      else if (mode === 'in' && typeName(given) === 'literal float') return '0.5';
      else
        body.push(
          `${typeName(mode === 'in' ? given : type)} ${variable} = (${typeName(mode === 'in' ? given : type)})0;`,
        );
      return variable;
    });
    const template = row.overloads[overload]!.startsWith('template') ? '<Particle>' : '';
    const call = `${object ? 'object.' : ''}${row.name}${template}(${texts.join(', ')})`;
    body.push(match.result.kind === 'void' ? `${call};` : `${typeName(match.result)} r${next++} = ${call};`);
  }
  const head = stage === 'cs' ? '[numthreads(4, 1, 1)] void main() {' : 'float4 main() : SV_Target {';
  return [particle, ...globals, head, ...body, stage === 'ps' ? 'return 0;' : '', '}'].join('\n');
}

describeWith(['spirv-val'], 'every overload compiles to a valid module', () => {
  const wanted = rows.flatMap((row) =>
    [false, true].map((wide) => ({ row, wide, key: `${row.key}${wide ? ', 16-bit types' : ''}` })),
  );
  it.each(wanted)('$key', ({ row, wide }) => {
    const stage = row.stages && !row.stages.includes('compute') ? 'ps' : 'cs';
    const byObject = new Map<unknown, Call[]>();
    for (const call of calls(row, wide)) {
      if (typeof call === 'string') continue;
      // Types of 16 bits cannot be written without the option.
      const types = [call.match.result, ...call.args.map(({ type }) => type)].map(typeName);
      if (!wide && types.some((type) => /^(float16_t|u?int16_t)/.test(type))) continue;
      const known = byObject.get(call.object);
      if (known) known.push(call);
      else byObject.set(call.object, [call]);
    }
    for (const list of byObject.values()) {
      const text = shaderOf(row, list, stage);
      const spirv = toSpirv(text, {
        profile: `${stage}_6_10`,
        optimize: false,
        enable16BitTypes: wide,
        targetEnv: 'vulkan1.3',
      });
      const problems = validateSpirv(
        new Uint8Array(spirv.buffer, spirv.byteOffset, spirv.byteLength),
        validationFlags('vulkan1.3'),
      );
      if (problems) expect.fail(`${problems}\n${text}`);
    }
  });
});
