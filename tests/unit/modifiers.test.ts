/** Every modifier at every place: refused where it means nothing, and only there. */
import { describe, expect, test } from 'vitest';
import { checkText } from '../support/check-text.ts';

const texts = {
  'global variable': (modifier: string) => `${modifier} float p = 1;`,
  'local variable': (modifier: string) => `void g() { ${modifier} float p = 1; }`,
  parameter: (modifier: string) => `void g(${modifier} float p) { }`,
  member: (modifier: string) => `struct S { ${modifier} float p; };`,
  function: (modifier: string) => `${modifier} float p() { return 1; }`,
  method: (modifier: string) => `struct S { ${modifier} float p() { return 1; } };`,
  'type definition': (modifier: string) => `typedef ${modifier} float p;`,
};
const everywhere = Object.keys(texts);

const topology = ['point', 'line', 'lineadj', 'triangle', 'triangleadj'];
const interpolation = ['nointerpolation', 'linear', 'centroid', 'sample', 'noperspective'];

describe('modifiers', () => {
  test.each<[string, readonly string[]]>([
    ['static', everywhere.filter((place) => place !== 'parameter' && place !== 'type definition')],
    ['const', everywhere.filter((place) => place !== 'member')],
    ['extern', ['global variable', 'function']],
    ['export', ['function']],
    ['shared', ['global variable']],
    ['uniform', ['global variable', 'parameter']],
    ['groupshared', ['global variable', 'parameter']],
    ['volatile', ['local variable', 'type definition']],
    ...['in', 'out', 'inout', ...topology].map((name): [string, string[]] => [name, ['parameter']]),
    ...['indices', 'vertices', 'primitives', 'payload'].map((name): [string, string[]] => [
      name,
      ['parameter'],
    ]),
    ...[...interpolation, 'center'].map((name): [string, string[]] => [
      name,
      ['parameter', 'member', 'function'],
    ]),
    ['precise', everywhere],
  ])('%s', (modifier, allowed) => {
    const found = Object.entries(texts).flatMap(([place, text]) => {
      const { messages } = checkText(`${text(modifier)}\nvoid main() { }`, { profile: 'ps_6_6' });
      const refusal = `'${modifier}' is not allowed on the ${place} 'p'`;
      return messages.some((message) => message.includes(refusal)) ? [] : [place];
    });
    expect(found).toEqual(everywhere.filter((place) => allowed.includes(place)));
  });
});
