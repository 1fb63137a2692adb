/** Messages of the type checker, OS3xxx. */
import type { Message } from '../diagnostic.ts';

export const checkMessages = () =>
  ({
    'unknown-identifier': {
      code: 'OS3001',
      severity: 'error',
      text: "use of undeclared identifier '{name}'",
    },
  }) as const satisfies Record<string, Message>;
