/**
 * Marks on instructions: a set of most instructions of a function that costs no memory and is forgotten at once. A pass takes a
 * new mark, writes it into the instructions it means, and compares.
 */
let last = 0;

/** One that no instruction has. */
export function newMark(): number {
  return ++last;
}
