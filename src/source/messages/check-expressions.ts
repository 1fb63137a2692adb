/** Messages about expressions, OS3001 to OS3399. */
import type { Message } from '../diagnostic.ts';

export const expressionMessages = () =>
  ({
    // ---- names
    'not-a-value': { code: 'OS3002', severity: 'error', text: "'{name}' is a {what}, not a value" },
    'function-not-called': {
      code: 'OS3003',
      severity: 'error',
      text: "function '{name}' must be called with '()'",
    },
    'no-this': {
      code: 'OS3004',
      severity: 'error',
      text: "'this' may only be used inside a method that is not static",
    },
    'member-without-object': {
      code: 'OS3005',
      severity: 'error',
      text: "member '{name}' of '{type}' needs an object",
    },
    'string-value': {
      code: 'OS3006',
      severity: 'error',
      text: 'a string is not a value that a shader can use',
    },
    'list-not-a-value': {
      code: 'OS3008',
      severity: 'error',
      text: 'an initializer list may only stand where a type is expected of it',
    },

    // ---- literals
    'integer-too-large': {
      code: 'OS3010',
      severity: 'error',
      text: "integer literal '{text}' does not fit into 64 bits",
    },

    // ---- conversions
    'cannot-convert': { code: 'OS3020', severity: 'error', text: "cannot convert from '{from}' to '{to}'" },
    'cannot-convert-implicitly': {
      code: 'OS3021',
      severity: 'error',
      text: "cannot implicitly convert from '{from}' to '{to}'",
    },
    'condition-not-scalar': {
      code: 'OS3022',
      severity: 'error',
      text: "a condition must be a scalar, but this is '{type}'; use any() or all()",
    },
    'implicit-truncation': {
      code: 'OS3023',
      severity: 'warning',
      group: 'conversion',
      text: 'implicit truncation of vector type',
    },
    narrowing: {
      code: 'OS3024',
      severity: 'warning',
      group: 'conversion',
      text: "conversion from larger type '{from}' to smaller type '{to}', possible loss of data",
    },

    'literal-float-to-integer': {
      code: 'OS3025',
      severity: 'warning',
      group: 'literal-conversion',
      text: "implicit conversion from '{from}' to '{to}' changes value from {value} to {result}",
    },
    'literal-out-of-range': {
      code: 'OS3026',
      severity: 'warning',
      group: 'constant-conversion',
      text: "implicit conversion from '{from}' to '{to}' changes value from {value} to {result}",
    },

    // ---- operators
    'operator-needs-integers': {
      code: 'OS3030',
      severity: 'error',
      text: "operator '{op}' needs integers, but this is '{type}'",
    },
    'operator-needs-numbers': {
      code: 'OS3031',
      severity: 'error',
      text: "operator '{op}' needs a scalar, vector or matrix, but this is '{type}'",
    },
    'operand-shapes': {
      code: 'OS3032',
      severity: 'error',
      text: "operator '{op}' cannot combine '{left}' and '{right}'",
    },
    'logical-not-scalar': {
      code: 'OS3033',
      severity: 'error',
      text: "operands of '{op}' must be scalars; for other types use {function}()",
    },
    'ternary-not-scalar': {
      code: 'OS3034',
      severity: 'error',
      text: "the condition of '?:' must be a scalar; for other types use select()",
    },
    'ternary-shapes': {
      code: 'OS3035',
      severity: 'error',
      text: "the condition '{condition}' of '?:' does not fit its results '{type}'",
    },
    'ternary-results': {
      code: 'OS3036',
      severity: 'error',
      text: "the results of '?:' must be scalars, vectors or matrices that fit, but are '{left}' and '{right}'",
    },
    'bool-target': { code: 'OS3037', severity: 'error', text: "operator '{op}' cannot change a bool" },
    'enum-target': {
      code: 'OS3038',
      severity: 'error',
      text: "operator '{op}' cannot change a value of enum '{type}'",
    },
    'pointer-operator': {
      code: 'OS3039',
      severity: 'error',
      text: "operator '{op}' is not supported: there are no pointers",
    },
    'double-modulo': {
      code: 'OS3040',
      severity: 'error',
      text: "operator '%' cannot be used with doubles; cast to float first",
    },
    'min-int-division': {
      code: 'OS3041',
      severity: 'error',
      text: "operator '{op}' cannot be used with minimum-precision signed integers; cast to int first",
    },
    'ambiguous-shift': {
      code: 'OS3042',
      severity: 'warning',
      group: 'ambig-lit-shift',
      text: "ambiguous type for bit shift; use a type suffix on literal values, like 'U', or a cast",
    },
    'negated-unsigned': {
      code: 'OS3043',
      severity: 'warning',
      group: 'conversion',
      text: 'unary negate of unsigned value is still unsigned',
    },
    'division-by-zero': {
      code: 'OS3044',
      severity: 'warning',
      group: 'division-by-zero',
      text: 'integer division by zero',
    },

    // ---- assignment
    'not-assignable': { code: 'OS3050', severity: 'error', text: 'expression is not assignable' },
    'assign-constant': {
      code: 'OS3051',
      severity: 'error',
      text: "cannot assign to '{name}', which is const",
    },
    'assign-buffer-member': {
      code: 'OS3052',
      severity: 'error',
      text: "cannot assign to '{name}', which is part of a constant buffer",
    },
    'assign-read-only': {
      code: 'OS3053',
      severity: 'error',
      text: "cannot write through '{type}', which is read-only",
    },
    'assign-resource': { code: 'OS3054', severity: 'error', text: "cannot assign to the resource '{name}'" },
    'duplicate-components': {
      code: 'OS3055',
      severity: 'error',
      text: '{what} is not assignable because it names a component twice',
    },
    'declared-here': { severity: 'note', text: "'{name}' is declared here" },

    // ---- members and elements
    'no-member': { code: 'OS3060', severity: 'error', text: "no member named '{name}' in '{type}'" },
    'no-members': {
      code: 'OS3061',
      severity: 'error',
      text: "'{type}' has no members, so there is no '{name}'",
    },
    'swizzle-format': {
      code: 'OS3062',
      severity: 'error',
      text: "invalid format for vector swizzle '{name}'",
    },
    'swizzle-bounds': {
      code: 'OS3063',
      severity: 'error',
      text: "vector swizzle '{name}' is out of bounds of '{type}'",
    },
    'too-many-components': {
      code: 'OS3064',
      severity: 'error',
      text: "more than four positions are referenced in '{name}'",
    },
    'matrix-format': {
      code: 'OS3065',
      severity: 'error',
      text: "invalid format for matrix subscript '{name}'",
    },
    'matrix-bounds': {
      code: 'OS3066',
      severity: 'error',
      text: "matrix subscript '{name}' is out of bounds of '{type}'",
    },
    'matrix-mixed': {
      code: 'OS3067',
      severity: 'error',
      text: "matrix subscript '{name}' mixes one-based and zero-based references",
    },
    'not-indexable': { code: 'OS3068', severity: 'error', text: "'{type}' cannot be indexed" },
    'index-bounds': { code: 'OS3069', severity: 'error', text: "index {index} is out of bounds of '{type}'" },
    'index-type': {
      code: 'OS3070',
      severity: 'error',
      text: "an index must be an integer, but this is '{type}'",
    },
    'float-index': {
      code: 'OS3071',
      severity: 'warning',
      group: 'conversion',
      text: "index of type '{type}' is converted to an integer",
    },
    'index-coordinates': {
      code: 'OS3076',
      severity: 'error',
      text: "an index of '{type}' has {count} coordinates, but this is '{index}'",
    },
    'index-missing': { code: 'OS3072', severity: 'error', text: "an index is missing between '[' and ']'" },
    'mips-alone': {
      code: 'OS3073',
      severity: 'error',
      text: "'{name}' must be followed by two indices, as in '.{name}[{first}][location]'",
    },
    'method-not-called': {
      code: 'OS3074',
      severity: 'error',
      text: "method '{name}' must be called with '()'",
    },
    'not-a-base': { code: 'OS3075', severity: 'error', text: "'{base}' is not a base of '{type}'" },

    // ---- calls
    'not-callable': { code: 'OS3080', severity: 'error', text: "'{name}' is not a function" },
    'unknown-function': { code: 'OS3081', severity: 'error', text: "use of undeclared function '{name}'" },
    'no-matching-function': {
      code: 'OS3082',
      severity: 'error',
      text: "no matching function for call to '{name}'",
    },
    'ambiguous-call': { code: 'OS3083', severity: 'error', text: "call to '{name}' is ambiguous" },
    'out-argument': {
      code: 'OS3085',
      severity: 'error',
      text: "argument for {mode} parameter '{parameter}' must be assignable",
    },
    'no-method': { code: 'OS3086', severity: 'error', text: "no method named '{name}' in '{type}'" },
    'method-without-object': {
      code: 'OS3087',
      severity: 'error',
      text: "method '{name}' needs an object because it is not static",
    },
    'intrinsic-mismatch': {
      code: 'OS3088',
      severity: 'error',
      text: "no matching function for call to '{name}': {reason}",
    },
    'intrinsic-refused': {
      code: 'OS3093',
      severity: 'error',
      text: "'{name}' is not supported yet: {reason}",
    },
    'offset-not-constant': {
      code: 'OS3112',
      severity: 'error',
      text: "the offset of '{name}' must be a constant",
    },
    'stage-input-needed': {
      code: 'OS3113',
      severity: 'error',
      text: "'{name}' needs an input of the entry point here: a parameter of its own or a part of one",
    },
    'vertex-input': {
      code: 'OS3114',
      severity: 'error',
      text: "the input of '{name}' must be declared 'nointerpolation'",
    },
    'intrinsic-stage': {
      code: 'OS3089',
      severity: 'error',
      text: "'{name}' is not available in a {stage} shader",
    },
    'intrinsic-shader-model': {
      code: 'OS3090',
      severity: 'error',
      text: "'{name}' needs shader model {needed} or later",
    },
    'atomic-place': {
      code: 'OS3094',
      severity: 'error',
      text: "'{name}' needs a scalar in groupshared memory or in a writable buffer or texture",
    },
    'template-call': {
      code: 'OS3091',
      severity: 'error',
      text: "template arguments for '{name}' are not supported yet",
    },
    'template-argument-value': {
      code: 'OS3092',
      severity: 'error',
      text: "a template argument of '{name}' must be a type",
    },
    'candidate-count': {
      severity: 'note',
      text: "candidate '{signature}' needs {count} arguments, but {given} are given",
    },
    'candidate-argument': {
      severity: 'note',
      text: "candidate '{signature}': argument {index} of type '{from}' does not convert to '{to}'",
    },
    'candidate-out': {
      severity: 'note',
      text: "candidate '{signature}': argument {index} for an {mode} parameter is not assignable",
    },
    candidate: { severity: 'note', text: "candidate '{signature}'" },

    // ---- constructors, casts and initializers
    'element-count': {
      code: 'OS3100',
      severity: 'error',
      text: "too {what} elements in initialization of '{type}' (expected {expected}, have {given})",
    },
    'cannot-construct': {
      code: 'OS3101',
      severity: 'error',
      text: "'{type}' has no constructor; use a cast or an initializer list",
    },
    'cannot-initialize': {
      code: 'OS3102',
      severity: 'error',
      text: "cannot initialize '{to}' with '{from}' inside of '{type}'",
    },
    'unsized-count': {
      code: 'OS3103',
      severity: 'error',
      text: "{given} elements do not fill whole elements of '{type}', which takes {expected} each",
    },
    'empty-constructor': { code: 'OS3104', severity: 'error', text: "'{type}' cannot be made of nothing" },
    'sizeof-type': { code: 'OS3105', severity: 'error', text: "'sizeof' cannot be applied to '{type}'" },

    'value-too-large': {
      code: 'OS3107',
      severity: 'error',
      text: "'{type}' has too many parts to be given a value at once; set them in a loop",
    },
    'initializer-too-large': {
      code: 'OS3106',
      severity: 'error',
      text: "'{type}' has too many parts of different types for an initializer list",
    },

    // ---- constants
    'not-constant': { code: 'OS3110', severity: 'error', text: 'expression is not an integer constant' },
    'constant-not-integer': {
      code: 'OS3111',
      severity: 'error',
      text: "an integer constant is expected here, but this is '{type}'",
    },
  }) as const satisfies Record<string, Message>;
