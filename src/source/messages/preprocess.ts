/** Messages of the preprocessor, OS1xxx. */
import type { Message } from '../diagnostic.ts';

export const preprocessMessages = () =>
  ({
    'error-directive': { code: 'OS1001', severity: 'error', text: '{text}' },
    'source-size': {
      code: 'OS1002',
      severity: 'error',
      text: "the source text is longer than {limit} characters with '{name}'",
    },
    'warning-directive': { code: 'OS1003', severity: 'warning', group: 'user-warnings', text: '{text}' },

    'unterminated-comment': { code: 'OS1010', severity: 'error', text: "the comment is not closed by '*/'" },
    'unterminated-literal': {
      code: 'OS1011',
      severity: 'error',
      text: 'missing {quote} at the end of the literal',
    },
    'stray-token': { code: 'OS1012', severity: 'error', text: "unexpected '{text}'" },
    'bad-number': { code: 'OS1013', severity: 'error', text: "'{text}' is not a number" },

    'float-suffix': {
      code: 'OS1014',
      severity: 'error',
      text: "'{text}' has a suffix of floats, but no '.' and no exponent",
    },

    'unknown-directive': {
      code: 'OS1020',
      severity: 'error',
      text: "'#{name}' is not a preprocessor directive",
    },
    'extra-directive-tokens': {
      code: 'OS1021',
      severity: 'warning',
      group: 'extra-tokens',
      text: "extra text behind '#{name}' is ignored",
    },
    'no-open-condition': { code: 'OS1022', severity: 'error', text: "'#{name}' without '#if'" },
    'alternative-after-else': { code: 'OS1023', severity: 'error', text: "'#{name}' after '#else'" },
    'other-else-here': { severity: 'note', text: "the '#else' is here" },
    'unterminated-condition': { code: 'OS1024', severity: 'error', text: "this conditional has no '#endif'" },
    'line-number-expected': {
      code: 'OS1025',
      severity: 'error',
      text: "'#line' needs a line number in plain digits",
    },
    'line-number-range': {
      code: 'OS1026',
      severity: 'error',
      text: 'line number {number} is above 2147483647',
    },
    'line-name-expected': {
      code: 'OS1027',
      severity: 'error',
      text: "the file name in '#line' must be a string",
    },

    'macro-name-expected': { code: 'OS1030', severity: 'error', text: "'{name}' needs the name of a macro" },
    'macro-name-defined': {
      code: 'OS1031',
      severity: 'error',
      text: "'{name}' cannot be the name of a macro",
    },
    'builtin-macro-changed': {
      code: 'OS1032',
      severity: 'warning',
      group: 'builtin-macro-redefined',
      text: "'{name}' is defined by the compiler",
    },
    'macro-name-space': {
      code: 'OS1033',
      severity: 'warning',
      group: 'macro-whitespace',
      text: "a blank is missing after the macro name '{name}'",
    },
    'macro-redefined': {
      code: 'OS1034',
      severity: 'warning',
      group: 'macro-redefined',
      text: "macro '{name}' is defined again with another meaning",
    },
    'macro-defined-here': { severity: 'note', text: "macro '{name}' is defined here" },
    'macro-parameters': {
      code: 'OS1035',
      severity: 'error',
      text: "the parameter list of macro '{name}' is not well formed",
    },
    'macro-parameter-twice': {
      code: 'OS1036',
      severity: 'error',
      text: "two macro parameters are named '{name}'",
    },
    'va-args-misplaced': {
      code: 'OS1037',
      severity: 'error',
      text: "'__VA_ARGS__' can only stand in the body of a macro that ends its parameters with '...'",
    },
    'paste-at-edge': {
      code: 'OS1038',
      severity: 'error',
      text: "'##' cannot stand at the start or the end of a macro body",
    },
    'stringize-needs-parameter': {
      code: 'OS1039',
      severity: 'error',
      text: "'#' in the body of a macro must stand before a parameter",
    },

    'unterminated-macro-call': {
      code: 'OS1040',
      severity: 'error',
      text: "the arguments of macro '{name}' are not closed by ')'",
    },
    'too-few-macro-arguments': {
      code: 'OS1041',
      severity: 'error',
      text: "macro '{name}' takes {wanted} arguments, but {given} are given",
    },
    'too-many-macro-arguments': {
      code: 'OS1042',
      severity: 'error',
      text: "macro '{name}' takes {wanted} arguments, but {given} are given",
    },
    'bad-paste': { code: 'OS1043', severity: 'error', text: "'##' makes '{text}', which is not one token" },
    'macro-nesting': {
      code: 'OS1044',
      severity: 'error',
      text: 'macro arguments are nested deeper than {limit} levels',
    },
    'macro-output-limit': {
      code: 'OS1045',
      severity: 'error',
      text: 'macros expand to more tokens than a compilation can hold',
    },
    'macro-text-limit': {
      code: 'OS1046',
      severity: 'error',
      text: "'#' or '##' makes a token longer than {limit} characters",
    },
    'no-clock': {
      code: 'OS1047',
      severity: 'error',
      text: "'{name}' is not supported, because the same source must always give the same output",
    },
    'has-include-outside-condition': {
      code: 'OS1048',
      severity: 'error',
      text: "'__has_include' can only be used in '#if' and '#elif'",
    },
    'include-in-macro-call': {
      code: 'OS1049',
      severity: 'error',
      text: "'#include' within the arguments of macro '{name}'",
    },

    'condition-empty': { code: 'OS1050', severity: 'error', text: 'the condition has no expression' },
    'condition-value-expected': {
      code: 'OS1051',
      severity: 'error',
      text: 'expected a value in the condition before {found}',
    },
    'condition-operator-expected': {
      code: 'OS1052',
      severity: 'error',
      text: "expected an operator in the condition before '{found}'",
    },
    'condition-token-expected': {
      code: 'OS1053',
      severity: 'error',
      text: "expected '{expected}' in the condition",
    },
    'condition-division-by-zero': {
      code: 'OS1054',
      severity: 'error',
      text: 'division by zero in the condition',
    },
    'condition-call': {
      code: 'OS1055',
      severity: 'error',
      text: "'{name}' is called in the condition, but it is no function-like macro",
    },
    'condition-number-range': { code: 'OS1056', severity: 'error', text: "'{text}' does not fit in 64 bits" },
    'condition-nesting': {
      code: 'OS1057',
      severity: 'error',
      text: 'the condition is nested deeper than {limit} levels',
    },

    'include-name-expected': {
      code: 'OS1060',
      severity: 'error',
      text: "'{name}' needs a file name in quotes or angle brackets",
    },
    'include-of-dxc': {
      code: 'OS1064',
      severity: 'error',
      text: "file '{name}' is not found; what DXC's header of this name offers is not supported yet",
    },
    'include-not-found': { code: 'OS1061', severity: 'error', text: "file '{name}' is not found" },
    'include-needs-quotes': {
      code: 'OS1062',
      severity: 'error',
      text: "file '{name}' is found only if its name stands in quotes instead of angle brackets",
    },
    'include-depth': {
      code: 'OS1063',
      severity: 'error',
      text: "'{name}' is included more than {limit} levels deep",
    },

    'unknown-pragma': {
      code: 'OS1070',
      severity: 'warning',
      group: 'unknown-pragmas',
      text: "'#pragma {name}' is not known and ignored",
    },
    'pragma-once-in-main-file': {
      code: 'OS1071',
      severity: 'warning',
      group: 'pragma-once-outside-header',
      text: "'#pragma once' in the main file",
    },
    'pragma-pack-matrix': {
      code: 'OS1072',
      severity: 'error',
      text: "'#pragma pack_matrix' needs '(row_major)' or '(column_major)'",
    },
    'pragma-message': { code: 'OS1073', severity: 'warning', group: '#pragma-messages', text: '{text}' },
    'pragma-message-string': { code: 'OS1074', severity: 'error', text: "'#pragma message' needs a string" },
    'pragma-diagnostic': {
      code: 'OS1075',
      severity: 'warning',
      group: 'unknown-pragmas',
      text: "expected 'push', 'pop', or 'ignored', 'warning', 'error' and a string such as \"-Wname\"",
    },
    'pragma-pop': {
      code: 'OS1076',
      severity: 'warning',
      group: 'unknown-pragmas',
      text: "'pop' without 'push'",
    },
    'pragma-operator': {
      code: 'OS1077',
      severity: 'error',
      text: "'_Pragma' needs one string in parentheses",
    },

    // Attached to the last message of a kind that is collected.
    'more-not-shown': { severity: 'note', text: 'more than {limit} {severity}s; the rest is not shown' },
  }) as const satisfies Record<string, Message>;
