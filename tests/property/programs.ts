/**
 * Random compute programs. A program is grown from a list of decisions, numbers from 0 to 255; where the list ends, 0 is taken, which
 * always is the simplest choice. So a shorter list is a smaller program, and lists shrink well.
 *
 * What programs compute is defined: indices are in range, loops end, everything is written before it is read, integers are divided
 * by small positive numbers, threads wait before they read what others wrote. In exact programs floats are whole and small enough that
 * no operation rounds, and are seen as integers, so that every device gives the same; wild programs hold whatever comes out of floats
 * and are for the interpreter only.
 */
import { type Program, ProgramGrower } from './grow/program.ts';

export type { Program } from './grow/program.ts';

export function growProgram(decisions: readonly number[], wild = false): Program {
  return new ProgramGrower(decisions, wild).program();
}
