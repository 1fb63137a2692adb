/** Bytes and text as C# literals, each on one line. */
import type { Features } from './framework.ts';

/**
 * Members that give bytes. The C# compiler spends its time on the number of literals (measured with 200 modules of 20 KB: 18 s as bytes,
 * 3.3 s as ulongs), so eight bytes are one where the framework can have them as static data.
 */
export function bytesMember(name: string, summary: string, bytes: Uint8Array, features: Features): string[] {
  const comment = `/// <summary>${summary}</summary>`;
  if (features.wideData) {
    const rest = bytes.length % 8 === 0 ? '' : `.Slice(0, ${bytes.length})`;
    return [
      `private static global::System.ReadOnlySpan<ulong> ${name}Data => new ulong[] { ${longs(bytes)} };`,
      comment,
      `public static global::System.ReadOnlySpan<byte> ${name} => global::System.Runtime.InteropServices.MemoryMarshal.AsBytes(${name}Data)${rest};`,
    ];
  }
  const array = `new byte[] { ${bytes.join(',')} }`;
  if (features.spans)
    return [comment, `public static global::System.ReadOnlySpan<byte> ${name} => ${array};`];
  return [comment, `public static byte[] ${name} { get; } = ${array};`];
}

/** Little-endian; zeros fill the last one. */
function longs(bytes: Uint8Array): string {
  const words: string[] = [];
  const whole = bytes.length & ~7;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < whole; i += 8) {
    const high = view.getUint32(i + 4, true);
    const low = view.getUint32(i, true);
    // Most words of SPIR-V are small, so that many pairs fit into a double.
    words.push(
      high < 0x200000 ? String(high * 0x100000000 + low) : String((BigInt(high) << 32n) | BigInt(low)),
    );
  }
  let last = 0n;
  for (let i = bytes.length - 1; i >= whole; i--) last = (last << 8n) | BigInt(bytes[i]!);
  if (whole < bytes.length) words.push(String(last));
  return words.join(',');
}

/** Members that give text as a string and as UTF-8. */
export function textMembers(name: string, summary: string, text: string, features: Features): string[] {
  const comment = `/// <summary>${summary}</summary>`;
  const utf8 = 'global::System.Text.Encoding.UTF8';
  if (features.wideData) {
    return [
      comment,
      `public static global::System.ReadOnlySpan<byte> ${name}Utf8 => ${stringLiteral(text)}u8;`,
      comment,
      `public static string ${name} => ${utf8}.GetString(${name}Utf8);`,
    ];
  }
  return [
    comment,
    `public static string ${name} => ${stringLiteral(text)};`,
    comment,
    `public static byte[] ${name}Utf8 => ${utf8}.GetBytes(${name});`,
  ];
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Halves of surrogate pairs, which UTF-8 has no form for, become U+FFFD. */
export function stringLiteral(text: string): string {
  const escaped = text
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[^ !#-[\]-~]/g, (c) => escapes[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}
