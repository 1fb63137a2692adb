/** What tests ask of debug information. Reading and checking are the compiler's own, which know nothing of its emitter. */
import { disassemble } from '../../src/spirv/disassemble.ts';
import { stripDebug } from '../../src/spirv/strip.ts';
import { verifyDebug } from '../../src/spirv/verify-debug.ts';

export {
  type DebugModule,
  readDebug,
  type ReadInstruction,
  type ReadRecord,
  sourceLines,
} from '../../src/spirv/debug-reader.ts';

/** Everything that is wrong, in words; empty for a module that keeps the rules. */
export function debugProblems(words: Uint32Array): string[] {
  return verifyDebug(words).problems;
}

/** The module as text without debug information: equal for a module made with it and the one made without. */
export function stripped(words: Uint32Array): string {
  const code = stripDebug(words, { keepIdentifier: false });
  if (!code) throw new Error('this is no module that can be stripped');
  return disassemble(code);
}

export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}
