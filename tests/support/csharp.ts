/** Generated C# with the bytes of the blobs taken out: all that debug information and optimization may change. */
export function withoutBytes(code: string): string {
  return code.replace(/^( *(?:private|public) static .* => ).*(?:\{ .* \}|".*"u8|Data\).*);$/gm, '$1');
}
