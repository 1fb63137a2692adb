/** Texts as words. */

/** Is every character one byte of UTF-8, and none the nul that ends a text? */
export function isPlainText(text: string): boolean {
  return /^[\x01-\x7f]*$/.test(text);
}

/** UTF-8, nul-terminated, little end first, padded to whole words. */
export function stringWords(text: string): number[] {
  const bytes = utf8(text);
  // The nul, and what fills the last word.
  do bytes.push(0);
  while (bytes.length & 3);
  const words: number[] = [];
  for (let i = 0; i < bytes.length; i += 4)
    words.push((bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)) >>> 0);
  return words;
}

/** UTF-8 bytes of a string; a lone surrogate becomes U+FFFD, a nul a space, for it would end the string. */
export function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    let c = text.codePointAt(i)!;
    if (c > 0xffff) i++;
    else if (c >= 0xd800 && c < 0xe000) c = 0xfffd;
    if (c === 0) bytes.push(0x20);
    else if (c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }
  return bytes;
}
