import { describe, expect, test } from 'vitest';
import { stringWords } from '../../src/spirv/texts.ts';
import { Words } from '../../src/spirv/words.ts';

const word = (op: number, ...operands: number[]): number[] => [
  ((operands.length + 1) << 16) | op,
  ...operands,
];
const all = (words: Words): number[] => [...words.filled()];

describe('words of a section', () => {
  test('instructions follow one another, however many they are', () => {
    const words = new Words();
    const expected: number[] = [];
    for (let i = 0; i < 300; i++) {
      const operands = Array.from({ length: i % 40 }, (_, n) => i * n);
      words.add(i, operands);
      expected.push(...word(i, ...operands));
    }
    words.addResult(7, 1, 2, [3, 4]);
    expect(words.last).toBe(expected.length);
    expect(all(words)).toEqual([...expected, ...word(7, 1, 2, 3, 4)]);
  });

  test.each(['', 'a', 'abc', 'abcd', 'x'.repeat(1000), 'caf\u00e9', '\u{1f600}', 'a\0b', '\ud800'])(
    'text %j',
    (text) => {
      const words = new Words();
      words.addText(5, [9], text);
      expect(all(words)).toEqual(word(5, 9, ...stringWords(text)));
    },
  );

  /** Three instructions, of which the first and the last wait for a word. */
  const waiting = (): Words => {
    const words = new Words();
    words.add(1, [0]);
    words.fillLater(1, () => 77);
    words.add(2, [20, 21]);
    words.add(3, [0]);
    words.fillLater(6, () => 99);
    return words;
  };

  test('late words move along with what is put in front of them', () => {
    const words = waiting();
    words.insert(2, word(4, 40));
    expect(words.last).toBe(7);
    words.fillLateWords();
    expect(all(words)).toEqual([...word(1, 77), ...word(4, 40), ...word(2, 20, 21), ...word(3, 99)]);
  });

  test('an instruction can be given more operands', () => {
    const words = waiting();
    words.lengthen(2, [22, 23]);
    words.fillLateWords();
    expect(all(words)).toEqual([...word(1, 77), ...word(2, 20, 21, 22, 23), ...word(3, 99)]);
  });

  test('an instruction can become the last one', () => {
    const words = waiting();
    words.moveToEnd(2);
    expect(words.last).toBe(4);
    words.fillLateWords();
    words.add(5, []);
    expect(all(words)).toEqual([...word(1, 77), ...word(3, 99), ...word(2, 20, 21), ...word(5)]);
  });
});
