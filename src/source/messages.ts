/**
 * Every diagnostic there is. Codes are permanent: first digit 1 preprocess, 2 syntax, 3 check, 4 entry points and
 * bindings, 5 SPIR-V, 6 Metal, 9 command line and the compiler itself. A wording starts in lower case, is one sentence
 * without a full stop, and names the user's things in quotes.
 */
import { bindingMessages } from './messages/bindings.ts';
import { checkMessages } from './messages/check.ts';
import { expressionMessages } from './messages/check-expressions.ts';
import { commandLineMessages } from './messages/command-line.ts';
import { declarationMessages } from './messages/declarations.ts';
import { loweringMessages } from './messages/lowering.ts';
import { metalMessages } from './messages/metal.ts';
import { preprocessMessages } from './messages/preprocess.ts';
import { spirvMessages } from './messages/spirv.ts';
import { syntaxMessages } from './messages/syntax.ts';

const allMessages = () => ({
  ...preprocessMessages(),
  ...syntaxMessages(),
  ...checkMessages(),
  ...expressionMessages(),
  ...declarationMessages(),
  ...bindingMessages(),
  ...loweringMessages(),
  ...spirvMessages(),
  ...metalMessages(),
  ...commandLineMessages(),
});

export type MessageKey = keyof ReturnType<typeof allMessages>;

let made: ReturnType<typeof allMessages> | undefined;

/** Every row by its key. The tables are functions, because most compilations have no message and start 1.5 ms sooner without them. */
export function messageTable(): ReturnType<typeof allMessages> {
  made ??= allMessages();
  return made;
}
