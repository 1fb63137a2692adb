/** Text to tokens, tree and messages, for tests of the parser. */
import { defaults } from '../../src/options.ts';
import { preprocess } from '../../src/preprocess/preprocess.ts';
import type { Tokens } from '../../src/preprocess/token.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { SourceMap } from '../../src/source/source-map.ts';
import type * as ast from '../../src/syntax/ast.ts';
import { dump } from '../../src/syntax/dump.ts';
import { parse } from '../../src/syntax/parser.ts';

export interface Parsed {
  unit: ast.Unit;
  tokens: Tokens;
  map: SourceMap;
  log: DiagnosticLog;
  /** `line:column: message`, and ` (note line:column: message)` for each note. */
  messages: string[];
}

export function tokenize(text: string): { tokens: Tokens; map: SourceMap; log: DiagnosticLog } {
  const map = new SourceMap();
  const log = new DiagnosticLog();
  const options = { ...defaults, profile: 'ps_6_0' };
  const { tokens } = preprocess(
    { name: 'test.hlsl', text },
    { map, log, options, includes: () => undefined },
  );
  return { tokens, map, log };
}

export function parseText(text: string): Parsed {
  const { tokens, map, log } = tokenize(text);
  const unit = parse(tokens, map, log);
  const where = (at: number) => {
    const place = map.place(at);
    return `${place.line}:${place.column}`;
  };
  const messages = log.diagnostics.map(
    (d) =>
      `${where(d.at)}: ${d.message}${d.notes.map((n) => ` (note ${where(n.at)}: ${n.message})`).join('')}`,
  );
  return { unit, tokens, map, log, messages };
}

/** The dump of a text that must parse. */
export function dumpText(text: string, places = false): string {
  const { unit, map, messages } = parseText(text);
  if (messages.length) throw new Error(messages.join('\n'));
  return dump(unit, places ? map : undefined);
}
