/** Messages of the preprocessor, OS1xxx. */
import type { Message } from '../diagnostic.ts';

export const preprocessMessages = {
  'error-directive': { code: 'OS1001', severity: 'error', text: '{text}' },
} as const satisfies Record<string, Message>;
