/** Messages about entry points, profiles, semantics and bindings, OS4xxx. */
import type { Message } from '../diagnostic.ts';

export const bindingMessages = {
  'no-entry': { code: 'OS4001', severity: 'error', text: "the entry function '{name}' is not defined" },
} as const satisfies Record<string, Message>;
