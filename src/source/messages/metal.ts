/** Messages of the Metal backend, OS6xxx. */
import type { Message } from '../diagnostic.ts';

export const metalMessages = () =>
  ({
    'metal-lacks': {
      code: 'OS6001',
      severity: 'error',
      text: '{what} has no counterpart in Metal',
    },
    'metal-needs-version': {
      code: 'OS6002',
      severity: 'error',
      text: '{what} needs Metal Shading Language {needed}; the target is {version} (-msl-version)',
    },
    'metal-not-yet': {
      code: 'OS6003',
      severity: 'error',
      text: '{what} cannot be written for Metal yet',
    },
    'metal-binding-clash': {
      code: 'OS6004',
      severity: 'error',
      text: "'{name}' and '{other}' both have the Metal {table} index {index}",
    },
    'metal-binding-range': {
      code: 'OS6005',
      severity: 'error',
      text: "the Metal {table} index {index} of '{name}' is beyond {last}",
    },
  }) as const satisfies Record<string, Message>;
