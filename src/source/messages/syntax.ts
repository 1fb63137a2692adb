/** Messages of the parser, OS2xxx. */
import type { Message } from '../diagnostic.ts';

export const syntaxMessages = {
  expected: { code: 'OS2001', severity: 'error', text: 'expected {expected} before {found}' },
} as const satisfies Record<string, Message>;
