/**
 * Checks what no validator looks at in debug information, on a module of any compiler: where records stand, what their operands
 * are, that places exist in the text, that scopes and inlined calls fit, that variables have values of their type.
 */
import { debugCoverage, type DebugCoverage } from './debug-coverage.ts';
import { type DebugModule, readDebug } from './debug-reader.ts';
import { Op } from './enums.ts';
import { isWhole, readString } from './grammar.ts';
import { checkCode } from './verify-debug-code.ts';
import { checkRecords } from './verify-debug-records.ts';
import { checkVariables } from './verify-debug-variables.ts';

export interface DebugReport {
  /** What is wrong, a sentence each; the same one is told once. */
  problems: string[];
  coverage: DebugCoverage;
}

/** All problems of a module's debug information and how much of the code and its variables it covers. */
export function verifyDebug(words: Uint32Array): DebugReport {
  const none = { instructions: 0, withScope: 0, withLine: 0, steps: 0, variableSteps: 0, visible: 0 };
  if (!isWhole(words)) return { problems: ['this is no SPIR-V module'], coverage: none };
  const module = readDebug(words);
  if (module.imports.length === 0)
    return {
      problems: ['the module has no debug information of the set NonSemantic.Shader.DebugInfo'],
      coverage: none,
    };
  const problems = [
    ...checkModule(module),
    ...checkRecords(module),
    ...checkCode(module),
    ...checkVariables(module),
  ];
  return { problems: [...new Set(problems)], coverage: debugCoverage(module) };
}

const version16 = 0x10600;

function checkModule(module: DebugModule): string[] {
  const problems: string[] = [];
  if (module.imports.length > 1) problems.push('the debug set is imported more than once');
  const isDeclared = module.code.some(
    ({ op, words }) => op === Op.Extension && readString(words, 0).text === 'SPV_KHR_non_semantic_info',
  );
  if (module.version < version16 && !isDeclared)
    problems.push('the extension SPV_KHR_non_semantic_info is not declared');
  if (module.version >= version16 && isDeclared)
    problems.push('the extension SPV_KHR_non_semantic_info is declared, though SPIR-V 1.6 has it');
  if (module.code.some(({ op }) => op === Op.Line)) problems.push('OpLine stands beside the debug records');
  return problems;
}
