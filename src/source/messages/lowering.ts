/** Messages of lowering: opaque values that cannot be settled, recursion, limits of the language, OS38xx. */
import type { Message } from '../diagnostic.ts';

export const loweringMessages = {
  'recursive-call': { code: 'OS3801', severity: 'error', text: "recursive functions are not allowed: {chain}" },
} as const satisfies Record<string, Message>;
