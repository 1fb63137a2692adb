/**
 * Tokens in, AST out. Declarations are parsed one by one with the fast generated parser; only when one fails does
 * recovery.ts look closer, with the variant that records what was expected.
 */
import type { Tokens } from '../preprocess/token.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { SourceMap } from '../source/source-map.ts';
import { actions } from './actions.ts';
import type * as ast from './ast.ts';
import { AstBuilder } from './ast-builder.ts';
import { parseRule, position } from './parser.gen.ts';
import { Recovery } from './recovery.ts';
import { NestingError } from './tree.ts';
import { classifyTypeNames } from './type-names.ts';

/** Parses a translation unit. Errors go to `log`; the unit then holds the declarations that were sound. */
export function parse(tokens: Tokens, map: SourceMap, log: DiagnosticLog): ast.Unit {
  const kinds = classifyTypeNames(tokens);
  const builder = new AstBuilder(tokens, log, actions);
  const declarations: ast.Declaration[] = [];
  let recovery: Recovery | undefined;
  const recovering = () => (recovery ??= new Recovery(tokens, kinds, map, log));
  let next = 0;
  while (kinds[next] !== 0) {
    const start = next;
    try {
      const tree = parseRule(kinds, 'decl', start);
      if (tree) {
        next = position();
        declarations.push(builder.build<ast.Declaration>(tree));
      } else next = recovering().recover(start);
    } catch (error) {
      if (!(error instanceof NestingError)) throw error;
      if (next > start) log.report('nesting-too-deep', tokens.at[error.token]!);
      else next = recovering().tooDeep(start, error.token);
    }
  }
  return { declarations, end: tokens.end[tokens.count]! };
}
