/**
 * What restricts passes, a row per restriction and pass that it could break: code that must stay as it is, beside code that differs
 * in the restriction alone and does not stay. The second one shows that the first would not stay by chance.
 */
import { describe, expect, test } from 'vitest';
import { assumeFinite } from '../../src/passes/assume-finite.ts';
import { constfold } from '../../src/passes/constfold.ts';
import { cse } from '../../src/passes/cse.ts';
import { dce } from '../../src/passes/dce.ts';
import { forwardMemory } from '../../src/passes/forward-memory.ts';
import { inline } from '../../src/passes/inline.ts';
import { licm } from '../../src/passes/licm.ts';
import { mem2reg } from '../../src/passes/mem2reg.ts';
import { reduceLoads } from '../../src/passes/reduce-loads.ts';
import { simplifyIf } from '../../src/passes/simplify-if.ts';
import { simplifySwitch } from '../../src/passes/simplify-switch.ts';
import { simplify } from '../../src/passes/simplify.ts';
import { unroll } from '../../src/passes/unroll.ts';
import { bodyBehind, type Pass } from '../support/passes.ts';

const declarations = `file a.hlsl
scope unit unit at a.hlsl:1:1
global @b: ptr<resource, RWStructuredBuffer<float>> resource set 0 binding 0
global @d: ptr<resource, RWStructuredBuffer<float>> resource set 0 binding 1
global @k: ptr<resource, StructuredBuffer<float>> resource set 0 binding 2
global @c: ptr<resource, ConstantBuffer<float4>> resource set 0 binding 3
global @g: ptr<workgroup, float[64]> workgroup
global @h: ptr<workgroup, int> workgroup
global @s: ptr<private, float> private`;
const functions = `
function writes(): void {
store @s, 2.0
return
}
function quiet(%a: float): float {
return %a
}
function gone(): void {
discard
return
}`;
const parameters = '%c: bool, %x: float, %y: float, %i: int, %j: int, %p: ptr<function, float>';

function behind(passes: readonly Pass[], body: string): string {
  return bodyBehind(passes, parameters, 'void', `${body}\nreturn`, declarations + functions).join('\n');
}

type Row = readonly [pass: Pass, restriction: string, stays: string, doesNot: string];

const place = (name: string, of: string, index: string): string =>
  `%${name}: ptr<storage, float, vulkan-storage> = buffer_pointer @${of}, ${index}\n`;
const buffer = place('q', 'b', '%i');
const twoPlaces = buffer + place('r', 'b', '%j');
const shared = '%q: ptr<workgroup, float> = access @g, %i\n';
/** The same surely inside. */
const sharedSeventh = '%q: ptr<workgroup, float> = access @g, 7\n';
const sharedTwo = `${shared}%r: ptr<workgroup, float> = access @g, %j\n`;
const array = '%l: ptr<function, float[4]> = var\n%q: ptr<function, float> = access %l, %i\n';
const twice = (code: string): string =>
  `%a: float = ${code}\nstore %p, %a\n%b: float = ${code}\nstore %p, %b`;
const arm = (code: string): string =>
  `%r: float = if %c {\n%a: float = ${code}\nyield %a\n} else {\nyield %x\n}\nstore %p, %r`;
const statementArm = (code: string): string => `if %c {\n${code}\nyield\n} else {\nyield\n}`;
const turn = (code: string): string =>
  `loop (%n: int = 0) {\nif %c {\nyield\n} else {\nbreak\n}\n${code}\ncontinue\n} continuing {\n%m: int = add %n, 1\nrepeat %m\n}`;
const turnOf = (code: string): string => turn(`%a: float = ${code}\nstore %p, %a`);
const rounds = (hint: string, code: string): string =>
  `loop (%n: int = 0) ${hint}{\n%t: bool = less %n, 2\nif %t {\nyield\n} else {\nbreak\n}\n${code}\ncontinue\n} continuing {\n%m: int = add %n, 1\nrepeat %m\n}`;
/** Two loads of one place with something in between. */
const between = (place_: string, code: string): string =>
  `${place_}%a: float = load %q\nstore %p, %a\n${code}\n%z: float = load %q\nstore %p, %z`;
const handed = (place_: string, code: string): string =>
  `${place_}store %q, %x\n${code}\n%z: float = load %q\nstore %p, %z`;
const rule = (code: string): string => `%a: float = ${code}\nstore %p, %a`;
const test_ = (code: string): string => `%t: bool = ${code}\n%a: float = select %t, %x, %y\nstore %p, %a`;

const barrier = 'intrinsic "GroupMemoryBarrierWithGroupSync"';
const wave = 'intrinsic "WaveActiveSum" %x';
const harmless = '%e: float = intrinsic "sin" %x\nstore %p, %e';

const rows: Record<string, readonly Row[]> = {
  precise: [
    [
      cse,
      'merges with its like only',
      twice('mul %x, %y').replace('= mul', '= precise mul'),
      twice('mul %x, %y'),
    ],
    [simplify, 'a sum is not put together anew', rule('precise add %x, %y'), rule('precise mul %x, 1.0')],
    [assumeFinite, 'a difference with itself stays', rule('precise sub %x, %x'), rule('sub %x, %x')],
    [constfold, 'values that are not known stay', rule('precise mul %x, 2.0'), rule('precise mul 3.0, 2.0')],
  ],
  'NaN, infinities and signed zero': [
    [simplify, 'x * 0 is not 0', rule('mul %x, 0.0'), rule('mul %x, 1.0')],
    [simplify, 'x + 0 is not x', rule('add %x, 0.0'), rule('add %x, -0.0')],
    [simplify, '0 - x is not -x', rule('sub 0.0, %x'), rule('sub -0.0, %x')],
    [simplify, 'x - x is not 0', rule('sub %x, %x'), rule('sub %x, 0.0')],
    [simplify, 'x / x is not 1', rule('div %x, %x'), rule('div %x, 1.0')],
    [simplify, 'x == x is not true', test_('equal %x, %x'), test_('less %x, %x')],
    [simplify, 'x >= x is not true', test_('greater_equal %x, %x'), test_('greater %x, %x')],
    [simplify, 'a quotient by 3 is no product', rule('div %x, 3.0'), rule('div %x, 4.0')],
    [
      simplify,
      'the opposite of less is not greater_equal',
      '%u: bool = less %x, %y\n%t: bool = logical_not %u\n%a: float = convert %t\nstore %p, %a',
      '%u: bool = less %i, %j\n%t: bool = logical_not %u\n%a: float = convert %t\nstore %p, %a',
    ],
    [
      simplify,
      'sums are not joined',
      rule('add %x, 1.0\n%e: float = add %a, 2.0\nstore %p, %e'),
      '%a: int = add %i, 1\n%e: int = add %a, 2\nstore @h, %e',
    ],
  ],
  derivatives: [
    [
      cse,
      'are merged in one block only',
      `${rule('intrinsic "ddx" %x')}\n${statementArm('%z: float = intrinsic "ddx" %x\nstore %p, %z')}`,
      `${rule('intrinsic "sin" %x')}\n${statementArm('%z: float = intrinsic "sin" %x\nstore %p, %z')}`,
    ],
    [
      cse,
      'are not merged over a discard',
      '%a: float = intrinsic "ddx" %x\nstore %p, %a\ndiscard\n%b: float = intrinsic "ddx" %x\nstore %p, %b',
      twice('intrinsic "ddx" %x'),
    ],
    [licm, 'stay in their loop', turnOf('intrinsic "ddx" %x'), turnOf('intrinsic "sin" %x')],
    [simplifyIf, 'stay in their arm', arm('intrinsic "ddx" %x'), arm('intrinsic "abs" %x')],
    [
      simplifyIf,
      'are not run before a second condition',
      statementArm(
        `%e: float = intrinsic "ddx" %x\n%t: bool = less %e, %y\n${'if %t {\nstore %p, %x\nyield\n} else {\nyield\n}'}`,
      ),
      statementArm(
        `%e: float = intrinsic "abs" %x\n%t: bool = less %e, %y\n${'if %t {\nstore %p, %x\nyield\n} else {\nyield\n}'}`,
      ),
    ],
  ],
  'wave operations': [
    [cse, 'are not merged: lanes may have left', twice(wave), twice('intrinsic "sin" %x')],
    [licm, 'stay in their loop', turnOf(wave), turnOf('intrinsic "sin" %x')],
    [simplifyIf, 'stay in their arm', arm(wave), arm('intrinsic "abs" %x')],
    [
      forwardMemory,
      'end what is known of shared memory',
      between(shared, `%w: float = ${wave}\nstore %p, %w`),
      between(shared, harmless),
    ],
  ],
  barriers: [
    [dce, 'stay', barrier, '%e: float = intrinsic "sin" %x'],
    [
      simplifyIf,
      'stay in their arm',
      statementArm(barrier),
      statementArm('debug_value $v 1.0').replace('debug_value $v 1.0\n', ''),
    ],
    [
      licm,
      'hold loads of group-shared memory',
      turn(`${barrier}\n%z: float = load @s\nstore %p, %z`),
      turnOf('mul %x, %y'),
    ],
    [forwardMemory, 'end what was loaded before', between(shared, barrier), between(shared, harmless)],
    [
      forwardMemory,
      'end what was stored before',
      handed(sharedSeventh, barrier),
      handed(sharedSeventh, harmless),
    ],
    [
      forwardMemory,
      'show what was stored before',
      `${shared}store %q, %x\n${barrier}\nstore %q, %y`,
      `${shared}store %q, %x\nstore %q, %y`,
    ],
    [
      forwardMemory,
      'in an arm, too',
      between(shared, statementArm(barrier)),
      between(shared, statementArm(harmless)),
    ],
  ],
  'coherent memory': [
    [
      forwardMemory,
      'is read each time',
      between(buffer, '').replaceAll('= load', '= coherent load'),
      between(buffer, ''),
    ],
    [
      forwardMemory,
      'is written each time',
      `${buffer}coherent store %q, %x\ncoherent store %q, %y`,
      `${buffer}store %q, %x\nstore %q, %y`,
    ],
    [
      forwardMemory,
      'orders other memory',
      between(buffer, `${place('r', 'd', '0')}coherent store %r, %x`),
      between(buffer, `store @s, %x`),
    ],
    [
      cse,
      'is not merged',
      twice('coherent load %q').replace('%a', `${place('q', 'k', '0')}%a`),
      twice('load %q').replace('%a', `${place('q', 'k', '0')}%a`),
    ],
    [dce, 'stores stay', `${buffer}coherent store %q, %x`, `${buffer}%e: float = coherent load %q`],
  ],
  atomics: [
    [dce, 'stay though nothing needs the result', 'intrinsic "InterlockedAdd" @h, %i', '%e: int = load @h'],
    [
      simplifyIf,
      'stay in their arm',
      statementArm('intrinsic "InterlockedAdd" @h, %i'),
      statementArm('%e: int = load @h').replace('%e: int = load @h\n', ''),
    ],
    [
      forwardMemory,
      'end what is known of shared memory',
      between(shared, 'intrinsic "InterlockedAdd" @h, %i'),
      between(shared, 'store @h, %i'),
    ],
  ],
  'places that may be the same': [
    [
      forwardMemory,
      'a store at another index',
      between(sharedTwo, 'store %r, %x'),
      between(sharedTwo, 'store @s, %x'),
    ],
    [
      forwardMemory,
      'a store to another buffer',
      between(buffer + place('r', 'd', '%j'), 'store %r, %x'),
      between(shared + place('r', 'd', '%j'), 'store %r, %x'),
    ],
    [
      forwardMemory,
      'a store into the same buffer',
      between(twoPlaces, 'store %r, %x'),
      between(`${place('q', 'b', '0')}${place('r', 'b', '1')}`, 'store %r, %x'),
    ],
    [
      forwardMemory,
      'an element of an array',
      between(`${array}%r: ptr<function, float> = access %l, %j\n`, 'store %r, %x'),
      between(`${array}%r: ptr<function, float> = access %l, %j\n`, 'store @s, %x'),
    ],
    [forwardMemory, 'a buffer that ends before the place', handed(buffer, ''), handed(sharedSeventh, '')],
    [forwardMemory, 'an array that ends before the place', handed(shared, ''), handed(sharedSeventh, '')],
    [
      forwardMemory,
      'statics that a call may write',
      between('', 'call writes').replaceAll('%q', '@s'),
      between('', harmless).replaceAll('%q', '@s'),
    ],
    [
      forwardMemory,
      'two parameters',
      '%e: float = load %p\nstore @s, %e\n%z: float = load %p\nstore @s, %z',
      `${array}%e: float = load %q\nstore @s, %e\n%z: float = load %q\nstore @s, %z`,
    ],
    [
      forwardMemory,
      'a store in a later turn of the loop',
      turn(`%z: float = load @s\nstore %p, %z\nstore @s, %x`).replace(
        /^/,
        '%a: float = load @s\nstore %p, %a\n',
      ),
      turn(`%z: float = load @s\nstore %p, %z`).replace(/^/, '%a: float = load @s\nstore %p, %a\n'),
    ],
    [
      forwardMemory,
      'a store in one arm',
      between('', statementArm('store @s, %x')).replaceAll('%q', '@s'),
      between('', statementArm('store %p, %x')).replaceAll('%q', '@s'),
    ],
    [
      forwardMemory,
      'a group that falls into the next one',
      'store @s, %x\nswitch %i {\ncase 1 {\nstore @s, %y\nfallthrough\n}\ncase default {\n%z: float = load @s\nstore %p, %z\nbreak\n}\n}',
      'store @s, %x\nswitch %i {\ncase 1 {\nstore @s, %y\nbreak\n}\ncase default {\n%z: float = load @s\nstore %p, %z\nbreak\n}\n}',
    ],
    [
      licm,
      'memory that a turn writes',
      turn('%z: float = load @s\nstore @s, %x\nstore %p, %z'),
      turnOf('mul %x, %y'),
    ],
    [
      licm,
      'an element that may not be there',
      `${place('q', 'k', '%i')}${turnOf('load %q')}`,
      `%q: ptr<uniform, float4, vulkan-uniform> = buffer_pointer @c\n${turn('%a: float4 = load %q\n%e: float = extract %a [0]\nstore %p, %e')}`,
    ],
    [
      simplifyIf,
      'an element that may not be there',
      `${place('q', 'k', '%i')}${arm('load %q')}`,
      arm('add %x, %y'),
    ],
  ],
  discard: [
    [
      forwardMemory,
      'a store before it is seen',
      `${buffer}store %q, %x\ndiscard\nstore %q, %y`,
      `${buffer}store %q, %x\nstore %q, %y`,
    ],
    [dce, 'stays', 'discard', '%e: float = add %x, %y'],
    [simplifyIf, 'stays in its arm', statementArm('discard'), statementArm('')],
    [
      inline,
      'stays called in a continuing block',
      turn('').replace('repeat', 'call gone\nrepeat'),
      turn('call gone'),
    ],
  ],
  'what the author asked for': [
    [unroll, '[loop]', rounds('hint loop ', 'store %p, 1.0'), rounds('', 'store %p, 1.0')],
    [simplifyIf, '[branch]', arm('mul %x, %y').replace('if %c', 'if %c hint branch'), arm('mul %x, %y')],
    [
      simplifySwitch,
      'a group with code',
      'switch %i {\ncase 1 {\nstore %p, %x\nbreak\n}\ncase 2 {\nstore %p, %y\nbreak\n}\n}',
      'switch %i {\ncase 1 {\nstore %p, %x\nbreak\n}\ncase 2 {\nbreak\n}\n}',
    ],
  ],
  'memory that must stay in one piece': [
    [
      mem2reg,
      'a variable that is indexed at run time',
      `${array}store %q, %x\n%e: float = load %q\nstore %p, %e`,
      '%l: ptr<function, float> = var\nstore %l, %x\n%e: float = load %l\nstore %p, %e',
    ],
    [
      reduceLoads,
      'a value that is needed whole',
      '%l: ptr<function, float[4]> = var\n%n: ptr<function, float[4]> = var\n%a: float[4] = load %l\nstore %n, %a',
      '%l: ptr<function, float[4]> = var\n%a: float[4] = load %l\n%e: float = extract %a [1]\nstore %p, %e',
    ],
  ],
};

describe.each(Object.entries(rows))('%s', (_, of) => {
  test.each(of.map(([pass, restriction, ...code]) => [pass.name, restriction, pass, ...code] as const))(
    '%s: %s',
    (_name, _restriction, pass, stays, doesNot) => {
      expect(behind([pass], stays)).toBe(behind([], stays));
      expect(behind([pass], doesNot)).not.toBe(behind([], doesNot));
    },
  );
});
