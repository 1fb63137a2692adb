/** Messages of the command line and of the compiler itself, OS9xxx. */
import type { Message } from '../diagnostic.ts';

export const commandLineMessages = {
  'internal-error': { code: 'OS9001', severity: 'error', text: 'internal compiler error: {text}' },
} as const satisfies Record<string, Message>;
