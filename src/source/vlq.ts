/** Base64 VLQ, the form of the numbers in Source Map v3 files (ECMA-426). */

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** An integer of less than 32 bits as its digits: five bits each, least first, the sign in the lowest bit. */
export function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/** The numbers in `text`; undefined if a digit is none, a number has more than 32 bits, or the last one has no end. */
export function readVlq(text: string): number[] | undefined {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const c of text) {
    const digit = digits.indexOf(c);
    if (digit < 0 || shift > 30) return undefined;
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit & 32) continue;
    if (value >= 2 ** 32) return undefined;
    numbers.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
    value = 0;
    shift = 0;
  }
  return shift === 0 ? numbers : undefined;
}
