/** Standard input to standard output, line by line. */
import { readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const pieceSize = 1 << 16;
/** Lines that are longer come out as they are, so that no input takes all memory. */
const longestLine = 1 << 16;

/** Gives every line of standard input to `change` and prints what comes back. Exit code. */
export function throughLines(change: (line: string) => string): number {
  const piece = Buffer.alloc(pieceSize);
  const decoder = new StringDecoder('utf8');
  let open = '';
  let isLong = false;
  for (;;) {
    const count = readSome(piece);
    const text = count > 0 ? decoder.write(piece.subarray(0, count)) : decoder.end();
    const lines = (open + text).split('\n');
    open = lines.pop()!;
    let out = '';
    for (const line of lines) {
      out += `${isLong ? line : change(line)}\n`;
      isLong = false;
    }
    if (isLong || open.length > longestLine) {
      out += open;
      open = '';
      isLong = true;
    }
    if (count === 0 && open !== '') out += change(open);
    if (!writeAll(out)) return 1;
    if (count === 0) return 0;
  }
}

/** 0 at the end. A terminal or pipe that has nothing yet is asked again. */
function readSome(piece: Buffer): number {
  for (;;) {
    try {
      return readSync(0, piece);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** False if nobody reads on. */
function writeAll(text: string): boolean {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
  return true;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
