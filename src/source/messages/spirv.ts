/** Messages of the SPIR-V backend, OS5xxx. */
import type { Message } from '../diagnostic.ts';

export const spirvMessages = {
  'needs-target-env': { code: 'OS5001', severity: 'error', text: "{what} needs {needed} or later; the target environment is {env}" },
} as const satisfies Record<string, Message>;
