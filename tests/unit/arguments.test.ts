/** DXC's spellings made regular, and what the flags do to the options. */
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/cli/arguments.ts';
import { helpText, readCommandLine } from '../../src/cli/command.ts';
import { flags } from '../../src/cli/flags.ts';
import { completeOptions } from '../../src/compile.ts';
import { defaults, describeOptions, type Options } from '../../src/options.ts';

const files = {
  read: (path: string): string => (path === 'r.rsp' ? '-E "my entry"' : ''),
  exists: (path: string): boolean => path === '/Times.hlsl',
};
const read = (...words: string[]) => readCommandLine(words, files, '1.2.3');
const options = (...words: string[]) => read(...words, 'x.hlsl').settings.compile;

describe('arguments', () => {
  it('reads every spelling of a value', () => {
    for (const words of [['-E', 'f'], ['-Ef'], ['/E', 'f'], ['/Ef'], ['-E=f']])
      expect(options(...words).entry).toBe('f');
  });

  it('keeps macros whole', () => {
    expect(options('-DA', '-D', 'B=1', '-DC=x=y', '-DF(x)=x').defines).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: '1' },
      { name: 'C', value: 'x=y' },
      { name: 'F(x)', value: 'x' },
    ]);
  });

  it('takes a path for a path', () => {
    expect(read('-T', 'ps_6_0', '/Times.hlsl').input).toBe('/Times.hlsl');
    expect(read('-T', 'ps_6_0', '/x/y.hlsl').input).toBe('/x/y.hlsl');
    expect(read('-T', 'ps_6_0', '-').input).toBe('-');
  });

  it('the last optimization level counts', () => {
    expect(options('-O1', '-Od').optimize).toBe(0);
    expect(options('-Od', '-O2').optimize).toBe(2);
  });

  it('-fspv-debug overrules -Zi', () => {
    expect(options('-Zi').debugInfo).toEqual(['vulkan-with-source']);
    expect(options('-Zi', '-fspv-debug=line').debugInfo).toEqual(['line']);
    expect(options().debugInfo).toBeUndefined();
  });

  it('reads flags of several words', () => {
    expect(options('-fvk-t-shift', '10', '0', '-fvk-s-shift', '20', 'all').bindingShifts).toEqual([
      { registerClass: 't', shift: 10, space: 0 },
      { registerClass: 's', shift: 20, space: 'all' },
    ]);
    expect(options('-fvk-bind-register', 't3', '1', '7', '2').registerBindings).toEqual([
      { register: 't3', space: 1, binding: 7, set: 2 },
    ]);
    expect(options('-fvk-bind-globals', '3', '1').globalsBinding).toEqual({ binding: 3, set: 1 });
  });

  it('reads response files, nested quotes included', () => {
    expect(options('@r.rsp').entry).toBe('my entry');
    expect(splitWords('a "b c" \'d "e\' f\\"g ""')).toEqual(['a', 'b c', 'd "e', 'f"g', '']);
  });

  it('switches warnings', () => {
    expect(options('-Wno-conversion', '-WX')).toMatchObject({
      disabledWarnings: ['conversion'],
      warningsAsErrors: true,
    });
    expect(options('-Wno-conversion', '-Wconversion').disabledWarnings).toEqual([]);
    expect(options('-Wno-conversion', '-Werror=conversion', '-Wno-error=unknown-pragmas')).toMatchObject({
      disabledWarnings: [],
      groupsAsErrors: { conversion: true, 'unknown-pragmas': false },
    });
    expect(options('-WX', '-Wno-error').warningsAsErrors).toBe(false);
  });

  it('ignores what concerns DXIL, and refuses what would change the result', () => {
    expect(() => options('-nologo', '-Qstrip_reflect', '-all_resources_bound')).not.toThrow();
    for (const flag of flags.filter((one) => one.group === 'Refused')) {
      const values =
        typeof flag.value === 'number' ? Array(flag.value).fill('1') : flag.value === 'none' ? [] : ['x'];
      const word = flag.value === 'joined' ? [`-${flag.names[0]}x`] : [`-${flag.names[0]}`, ...values];
      expect(() => options(...word), flag.names[0]).toThrow(flag.help);
    }
  });

  it('says why a flag is refused', () => {
    expect(() => options('-link')).toThrow(
      "flag '-link' is refused: libraries and linking are not supported yet",
    );
    expect(() => options('-include', 'a.h')).toThrow("flag '-include' is refused: not supported yet");
  });

  it('helps with every flag that does something', () => {
    const text = helpText();
    for (const flag of flags) if (flag.group !== 'Refused') expect(text).toContain(`-${flag.names[0]}`);
    expect(read('--help').answer).toBe(text);
    expect(read('--version').answer).toBe('1.2.3\n');
  });
});

/** What modules name as their options must give the same module again, when RenderDoc compiles an edited shader. */
describe('options as text', () => {
  const complete = (words: readonly string[]): Options => {
    const given = options(...words);
    return completeOptions({ source: { name: 'x', text: '' }, ...given, profile: given.profile || 'cs_6_0' });
  };
  /** Values for the flags that take some. Other options than these do not change the module, or are paths. */
  const values: Record<string, readonly string[]> = {
    T: ['ps_6_0'],
    E: ['f'],
    D: ['A=1'],
    HV: ['202x'],
    denorm: ['ftz'],
    'fspv-target-env': ['vulkan1.3'],
    'fspv-extension': ['SPV_KHR_multiview'],
    'fspv-entrypoint-name': ['other'],
    'fspv-max-id': ['999'],
    'fvk-stage-io-order': ['alpha'],
    'fvk-bind-register': ['t1', '2', '3', '4'],
    'auto-binding-space': ['7'],
    ...Object.fromEntries(['b', 't', 's', 'u'].map((one) => [`fvk-${one}-shift`, ['10', 'all']])),
    ...Object.fromEntries(
      ['globals', 'resource-heap', 'sampler-heap', 'counter-heap'].map((one) => [
        `fvk-bind-${one}`,
        ['5', '6'],
      ]),
    ),
  };
  const groups = ['Common', 'Language', 'Optimization', 'SPIR-V'];
  const rows = flags.filter(
    ({ names, group, value }) =>
      groups.includes(group) && (value === 'none' || Object.hasOwn(values, names[0]!)) && names[0] !== 'msl',
  );

  it('names every flag that changes the module', () => {
    const changed = new Set<string>();
    for (const { names, value } of rows) {
      const name = names[0]!;
      const own = values[name] ?? [];
      const words = value === 'equals' ? [`-${name}=${own[0]}`] : [`-${name}`, ...own];
      const given = complete(words);
      for (const key of Object.keys(defaults) as (keyof Options)[])
        if (given[key] !== defaults[key]) changed.add(key);
      const again = complete(given.debugArguments.split(' ').filter((word) => word !== ''));
      expect({ ...again, debugArguments: '' }, name).toEqual({ ...given, debugArguments: '' });
    }
    const silent =
      /^debug|^metal$|^reflectDeclared$|^maxSourceSize$|[wW]arnings|^groupsAsErrors$|^includeDirs$/;
    const expected = Object.keys(defaults).filter((name) => !silent.test(name));
    expect(expected.filter((name) => !changed.has(name))).toEqual([]);
  });

  it('tells neither paths nor what is the default', () => {
    const given = complete(['-T', 'ps_6_0', '-E', 'f', '-D', 'P=/home/me/x', '-I', '/home/me']);
    expect(given.debugArguments).toBe('-T ps_6_0 -E f');
    expect(describeOptions(defaults)).toBe('-T  -E main');
  });
});
