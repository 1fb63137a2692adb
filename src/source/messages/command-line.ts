/** Messages of the command line and of the compiler itself, OS9xxx. */
import type { Message } from '../diagnostic.ts';

export const commandLineMessages = () =>
  ({
    'internal-error': { code: 'OS9001', severity: 'error', text: 'internal compiler error: {text}' },

    // ---- job lists of --batch
    'batch-list': { code: 'OS9010', severity: 'error', text: "the job list '{file}' {problem}" },
    'batch-no-entry': {
      code: 'OS9011',
      severity: 'error',
      text: "nothing tells the stage of '{file}': give it an entry point and a profile, call it like 'name.vs.hlsl', or mark functions with '[shader(\"vertex\")]'",
    },
    'batch-class-name': { code: 'OS9012', severity: 'warning', text: '{problem}; set its ClassName' },
    'batch-options': { code: 'OS9013', severity: 'error', text: 'in the options: {problem}' },
    'batch-unreadable': { code: 'OS9014', severity: 'error', text: "cannot read '{file}'{reason}" },
    'batch-unwritable': { code: 'OS9015', severity: 'error', text: "cannot write '{file}'{reason}" },
    'batch-stage': {
      code: 'OS9016',
      severity: 'error',
      text: "'{stage}' is no stage that can be compiled; known are {known}",
    },
  }) as const satisfies Record<string, Message>;
