/** Messages of the parser, OS2xxx. */
import type { Message } from '../diagnostic.ts';

export const syntaxMessages = () =>
  ({
    expected: { code: 'OS2001', severity: 'error', text: 'expected {expected} before {found}' },
    'expected-after': { code: 'OS2002', severity: 'error', text: 'expected {expected} after {previous}' },
    'nesting-too-deep': { code: 'OS2003', severity: 'error', text: 'nesting is too deep' },
    'stray-brace': { code: 'OS2004', severity: 'error', text: "'}' closes nothing" },
    'unknown-type-name': { code: 'OS2005', severity: 'error', text: "unknown type name '{name}'" },
    'nested-function': {
      code: 'OS2006',
      severity: 'error',
      text: "function '{name}' is defined inside another function; is a '}' missing before it?",
    },
    unexpected: { code: 'OS2007', severity: 'error', text: 'unexpected {found}' },
    'effect-ignored': {
      code: 'OS2008',
      severity: 'warning',
      group: 'effects-syntax',
      text: "'{word}' belongs to the effect framework and is ignored",
    },
    'else-without-if': { code: 'OS2009', severity: 'error', text: "'else' without an 'if' before it" },
    'opened-here': { severity: 'note', text: "to match this '{bracket}'" },
  }) as const satisfies Record<string, Message>;
