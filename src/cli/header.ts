/** The C header of `-Fh`: the disassembly as a comment and the module as an array of bytes, as DXC writes it. */
export function headerText(bytes: Uint8Array, name: string, disassembly: string): string {
  const rows: string[] = [];
  for (let i = 0; i < bytes.length; i += 12) {
    rows.push(
      '  ' +
        Array.from(bytes.subarray(i, i + 12), (byte) => '0x' + byte.toString(16).padStart(2, '0')).join(', '),
    );
  }
  // `*/` inside embedded source text would end the comment.
  const comment = disassembly.replaceAll('*/', '* /');
  return `#if 0\n${comment}\n#endif\n\nconst unsigned char ${name}[] = {\n${rows.join(',\n')}\n};\n`;
}
