/** Messages of a batch, which outlive the compilation they are from: those of files that are up to date come from the state. */
import { type Diagnostic, DiagnosticLog, type MessageArgs, type Severity } from '../../source/diagnostic.ts';
import type { MessageKey } from '../../source/messages.ts';
import {
  type MessageLine,
  messageLines,
  msbuildLine,
  renderDiagnostic,
  type RenderStyle,
} from '../../source/render.ts';
import type { SourceMap } from '../../source/source-map.ts';

export interface BatchMessage {
  severity: Severity;
  /** As the command prints it, with source lines; ends in a line break. */
  text: string;
  /** The message and its notes; files as the compiler named them. */
  lines: MessageLine[];
}

/** Messages of one compilation. */
export function messagesOf(diagnostics: readonly Diagnostic[], map: SourceMap): BatchMessage[] {
  return diagnostics.map((diagnostic) => ({
    severity: diagnostic.severity,
    text: `${renderDiagnostic(diagnostic, map)}\n`,
    lines: messageLines(diagnostic, map),
  }));
}

/** A message about a file as a whole, or about none. */
export function messageAbout(file: string | undefined, key: MessageKey, args: MessageArgs): BatchMessage {
  const { severity, code, message } = new DiagnosticLog().report(key, 0, args);
  return plainMessage({ severity, code, message, ...(file !== undefined && { file }) });
}

/** A line without a source line below it. */
export function plainMessage(line: MessageLine): BatchMessage {
  const { severity, code, message, file } = line;
  const where = file === undefined ? 'oneshader: ' : `${file}: `;
  return { severity, text: `${where}${severity}: ${message}${code && ` [${code}]`}\n`, lines: [line] };
}

/** The text of messages, each once: an include that many shaders share says the same for all of them. */
export function renderMessages(
  messages: readonly BatchMessage[],
  style: RenderStyle,
  absolute: (file: string) => string,
): string {
  const all = messages.map(({ text, lines }) =>
    style === 'text'
      ? text
      : lines
          .map((line) => msbuildLine(line.file === undefined ? line : { ...line, file: absolute(line.file) }))
          .join(''),
  );
  return [...new Set(all)].join('');
}
