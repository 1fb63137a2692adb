/** Messages about declarations, types and statements: the second block of OS3xxx (OS3400 to OS3699). */
import type { Message } from '../diagnostic.ts';

export const declarationMessages = () =>
  ({
    // ---- names and types
    redefinition: { code: 'OS3400', severity: 'error', text: "redefinition of '{name}'" },
    'redefinition-kind': {
      code: 'OS3401',
      severity: 'error',
      text: "redefinition of '{name}' as a different kind of symbol",
    },
    'previous-here': { severity: 'note', text: "'{name}' was declared here first" },
    'unknown-type': { code: 'OS3402', severity: 'error', text: "unknown type name '{name}'" },
    'type-unsupported': { code: 'OS3403', severity: 'error', text: "the type '{name}' is not supported yet" },
    'type-needs-16-bit': {
      code: 'OS3404',
      severity: 'error',
      text: "'{name}' is only available with -enable-16bit-types",
    },
    'type-needs-argument': {
      code: 'OS3405',
      severity: 'error',
      text: "'{name}' needs {needed} between '<' and '>'",
    },
    'type-takes-no-arguments': {
      code: 'OS3406',
      severity: 'error',
      text: "'{name}' takes no template arguments",
    },
    'type-argument-scalar': {
      code: 'OS3407',
      severity: 'error',
      text: "'{type}' cannot be used as the element type of '{name}'; a scalar is required",
    },
    'type-argument-size': {
      code: 'OS3408',
      severity: 'error',
      text: "the size in '{name}' must be a constant from 1 to 4",
    },
    'type-argument-struct': {
      code: 'OS3409',
      severity: 'error',
      text: "'{type}' cannot be used in '{name}'; a struct or class is required",
    },
    'type-argument-texel': {
      code: 'OS3410',
      severity: 'error',
      text: "'{type}' cannot be the element type of '{name}'; it must be a scalar or a vector that fits in four 32-bit quantities",
    },
    'type-argument-object': {
      code: 'OS3411',
      severity: 'error',
      text: "'{type}' cannot be the element type of '{name}', because it holds resources",
    },
    'legacy-sampler': {
      code: 'OS3412',
      severity: 'error',
      text: "'{name}' is a sampler type of DirectX 9 and has no methods here; use 'SamplerState' with a texture object",
    },
    'effect-object-ignored': {
      code: 'OS3413',
      severity: 'warning',
      group: 'effects-syntax',
      text: "effect object of type '{name}' ignored, since effect syntax is deprecated",
    },
    'effect-object-used': {
      code: 'OS3532',
      severity: 'error',
      text: "an object of the effect framework is used here, but such objects are ignored; use a resource type such as 'Texture2D'",
    },
    'array-size': {
      code: 'OS3414',
      severity: 'error',
      text: 'the size of an array must be a constant integer from 1 to {limit}',
    },
    'array-unsized': {
      code: 'OS3415',
      severity: 'error',
      text: "the array '{name}' needs an explicit size here",
    },
    'array-unsized-inner': {
      code: 'OS3416',
      severity: 'error',
      text: 'only the first dimension of an array may be left without a size',
    },
    'matrix-order-type': {
      code: 'OS3417',
      severity: 'error',
      text: "'{modifier}' can only be used with a matrix type, not with '{type}'",
    },
    'matrix-order-conflict': {
      code: 'OS3418',
      severity: 'error',
      text: "'row_major' and 'column_major' cannot be used together",
    },
    'norm-type': {
      code: 'OS3419',
      severity: 'error',
      text: "'{modifier}' can only be used with floating-point types, not with '{type}'",
    },
    'incomplete-type': {
      code: 'OS3420',
      severity: 'error',
      text: "'{name}' has the incomplete type '{type}'",
    },
    'variable-void': { code: 'OS3421', severity: 'error', text: "'{name}' cannot have the type 'void'" },
    'template-unsupported': {
      code: 'OS3423',
      severity: 'error',
      text: "'{name}' is a template, and templates are not supported yet",
    },
    'interface-unsupported': {
      code: 'OS3424',
      severity: 'error',
      text: "'{name}' is an interface, and interfaces are not supported yet",
    },
    'bit-field-unsupported': {
      code: 'OS3425',
      severity: 'error',
      text: "the bit-field '{name}' is not supported yet",
    },
    'base-struct': { code: 'OS3426', severity: 'error', text: "the base '{name}' is not a struct or class" },
    'base-multiple': {
      code: 'OS3427',
      severity: 'error',
      text: "'{name}' has more than one base that is not an interface",
    },
    'member-initializer': {
      code: 'OS3428',
      severity: 'error',
      text: "the member '{name}' cannot have an initializer, because it is not static",
    },
    'member-misplaced': {
      code: 'OS3429',
      severity: 'error',
      text: '{what} cannot be declared inside a struct',
    },
    'enum-base': {
      code: 'OS3431',
      severity: 'error',
      text: "'{type}' cannot be the underlying type of an enumeration; an integer type is required",
    },
    'namespace-unknown': { code: 'OS3432', severity: 'error', text: "'{name}' is not a namespace" },
    'using-unknown': {
      code: 'OS3433',
      severity: 'error',
      text: "'{name}' names nothing that 'using' could bring in",
    },
    'static-assert': { code: 'OS3434', severity: 'error', text: 'static assertion failed: {text}' },
    'qualifier-unknown': {
      code: 'OS3436',
      severity: 'error',
      text: "'{name}' is not a struct, class or namespace",
    },
    'not-a-member': {
      code: 'OS3437',
      severity: 'error',
      text: "'{struct}' has no member '{name}' that this could define",
    },

    'type-nesting': {
      code: 'OS3439',
      severity: 'error',
      text: 'types are nested more than {limit} levels deep',
    },
    'type-members': {
      code: 'OS3493',
      severity: 'error',
      text: 'the struct or buffer has more than {limit} members, those of its members included',
    },

    // ---- globals
    'resource-struct-size': {
      code: 'OS3478',
      severity: 'error',
      text: "the global '{name}' is an array of structs of resources, which becomes more than {limit} variables",
    },
    'mixed-global-struct': {
      code: 'OS3450',
      severity: 'error',
      text: "the global '{name}' holds resources beside other data in one struct, which is not supported",
    },
    'initializer-ignored': {
      code: 'OS3452',
      severity: 'warning',
      group: 'ignored-initializer',
      text: "the initializer of '{name}' is ignored, because the variable is set from outside the shader",
    },
    'spec-constant-type': {
      code: 'OS3454',
      severity: 'error',
      text: "the specialization constant '{name}' must be a scalar bool, integer or float",
    },
    'spec-constant-value': {
      code: 'OS3455',
      severity: 'error',
      text: "the specialization constant '{name}' needs a constant initializer, its default value",
    },
    'push-constant-type': {
      code: 'OS3456',
      severity: 'error',
      text: "the push constant '{name}' must be a struct or a ConstantBuffer of one",
    },
    'push-constant-twice': {
      code: 'OS3457',
      severity: 'error',
      text: 'only one push constant block is allowed',
    },
    'groupshared-type': {
      code: 'OS3458',
      severity: 'error',
      text: "the groupshared variable '{name}' cannot hold resources",
    },
    'groupshared-initializer': {
      code: 'OS3459',
      severity: 'warning',
      group: 'ignored-initializer',
      text: "the initializer of the groupshared variable '{name}' is ignored",
    },
    'packoffset-misplaced': {
      code: 'OS3460',
      severity: 'error',
      text: "'packoffset' is only allowed on members of a cbuffer or tbuffer",
    },
    'packoffset-bad': {
      code: 'OS3461',
      severity: 'error',
      text: "'packoffset({text})' is not of the form 'packoffset(c0)' or 'packoffset(c0.x)'",
    },
    'packoffset-mix': {
      code: 'OS3462',
      severity: 'warning',
      group: 'packoffset',
      text: "'{name}' has no packoffset although other members of its buffer have one",
    },
    'register-bad': { code: 'OS3463', severity: 'error', text: "'{text}' is not a register or space" },
    'register-class': {
      code: 'OS3464',
      severity: 'error',
      text: "'{name}' cannot be bound to register '{register}'; {expected} is expected",
    },
    'buffer-member-misplaced': {
      code: 'OS3465',
      severity: 'error',
      text: '{what} cannot be declared inside a {keyword}',
    },
    'image-format-bad': {
      code: 'OS3466',
      severity: 'error',
      text: "'{format}' is not the name of an image format",
    },
    'image-format-type': {
      code: 'OS3467',
      severity: 'error',
      text: "the image format '{format}' does not fit the element type '{type}'",
    },
    'texture-16-bit': {
      code: 'OS3469',
      severity: 'error',
      text: "the element type of '{name}' cannot be a floating-point type smaller than 32 bits in Vulkan",
    },
    'counter-array': {
      code: 'OS3470',
      severity: 'error',
      text: "'{name}' is an array of arrays of buffers with a counter, which Vulkan does not have",
    },
    'builtin-input-static': {
      code: 'OS3485',
      severity: 'error',
      text: "'{name}' has [[vk::ext_builtin_input]] and must be a static const scalar or vector without an initializer",
    },
    'string-initializer': {
      code: 'OS3471',
      severity: 'error',
      text: "the string '{name}' must be initialized with a string literal",
    },
    'globals-binding-attribute': {
      code: 'OS3472',
      severity: 'error',
      text: "'{name}' lies in the '$Globals' buffer and cannot have [[vk::binding]]",
    },

    'offset-alignment': {
      code: 'OS3486',
      severity: 'error',
      text: "the offset {offset} of '{name}' is not a multiple of {align}, as its type needs it here",
    },
    'offset-overlap': {
      code: 'OS3473',
      severity: 'error',
      text: "'{name}' begins at byte {offset}, where '{other}' lies already",
    },
    'spec-constant-static': {
      code: 'OS3474',
      severity: 'error',
      text: "the specialization constant '{name}' cannot be static",
    },
    'subpass-static': {
      code: 'OS3475',
      severity: 'error',
      text: "the subpass input '{name}' cannot be static",
    },
    'subpass-stage': {
      code: 'OS3476',
      severity: 'error',
      text: "the subpass input '{name}' can only be used in a pixel shader",
    },
    'combined-missing': {
      code: 'OS3477',
      severity: 'error',
      text: "'{name}' has [[vk::combinedImageSampler]], but no {partner} with it is bound to set {set}, binding {binding}",
    },

    // ---- attributes
    'unknown-attribute': {
      code: 'OS3480',
      severity: 'warning',
      group: 'unknown-attributes',
      text: "unknown attribute '{name}' ignored",
    },
    'attribute-unsupported': {
      code: 'OS3481',
      severity: 'error',
      text: "the attribute '{name}' is not supported yet",
    },
    'attribute-arguments': {
      code: 'OS3482',
      severity: 'error',
      text: "the attribute '{name}' takes {expected}",
    },
    'attribute-misplaced': {
      code: 'OS3483',
      severity: 'warning',
      group: 'ignored-attributes',
      text: "the attribute '{name}' can only be applied to {expected}; it is ignored",
    },
    'attribute-conflict': {
      code: 'OS3484',
      severity: 'error',
      text: "the attributes '{first}' and '{second}' cannot be used together",
    },

    // ---- functions
    'return-type-differs': {
      code: 'OS3500',
      severity: 'error',
      text: "the functions named '{name}' differ only in their return type",
    },
    'default-missing': {
      code: 'OS3501',
      severity: 'error',
      text: "the parameter '{name}' needs a default argument, because one before it has one",
    },
    'default-out': {
      code: 'OS3502',
      severity: 'error',
      text: "the {mode} parameter '{name}' cannot have a default argument",
    },
    'default-twice': {
      code: 'OS3503',
      severity: 'error',
      text: "the default argument of '{name}' is given a second time",
    },
    'function-undefined': {
      code: 'OS3504',
      severity: 'error',
      text: "the function '{name}' is called but never defined",
    },
    'return-missing-value': { code: 'OS3505', severity: 'error', text: "'{name}' must return a value" },
    'return-void-value': {
      code: 'OS3506',
      severity: 'error',
      text: "'{name}' returns void and cannot return a value",
    },
    'missing-return': {
      code: 'OS3507',
      severity: 'warning',
      group: 'return-type',
      text: "'{name}' can reach its end without returning a value",
    },
    'parameter-void': { code: 'OS3508', severity: 'error', text: "a parameter cannot have the type 'void'" },

    // ---- statements
    'break-misplaced': {
      code: 'OS3520',
      severity: 'error',
      text: "'break' is only allowed inside a loop or switch",
    },
    'continue-misplaced': {
      code: 'OS3521',
      severity: 'error',
      text: "'continue' is only allowed inside a loop",
    },
    'case-misplaced': {
      code: 'OS3522',
      severity: 'error',
      text: "'{label}' is only allowed in the braces of a switch, and not in a statement in them",
    },
    'case-duplicate': {
      code: 'OS3524',
      severity: 'error',
      text: "the label '{label}' occurs a second time in this switch",
    },
    'case-first-here': { severity: 'note', text: "the first '{label}' is here" },
    'case-count': { code: 'OS3531', severity: 'error', text: 'a switch has more than {limit} labels' },
    'switch-type': { code: 'OS3525', severity: 'error', text: "a switch needs a scalar, not '{type}'" },
    'switch-no-label': {
      code: 'OS3526',
      severity: 'error',
      text: 'this statement stands before the first label of the switch',
    },
    'for-redefinition': {
      code: 'OS3527',
      severity: 'warning',
      group: 'for-redefinition',
      text: "redefinition of '{name}' shadows the declaration in the outer scope, where variables of 'for' are visible before HLSL 2021; the most recent one is used",
    },
    'modifier-misplaced': {
      code: 'OS3528',
      severity: 'error',
      text: "'{modifier}' is not allowed on the {what} '{name}'",
    },
    'groupshared-stage': {
      code: 'OS3494',
      severity: 'error',
      text: "'{name}' is groupshared, and this stage has no thread groups",
    },
    'discard-stage': {
      code: 'OS3530',
      severity: 'error',
      text: "'discard' is only allowed in pixel shaders",
    },
    'condition-declaration': {
      code: 'OS3529',
      severity: 'error',
      text: 'a condition can declare only one variable, and it needs an initializer',
    },
  }) as const satisfies Record<string, Message>;
