import { intrinsicOf } from '../intrinsics/table.ts';
import type { Builder } from '../ir/builder.ts';
import type { Instruction, Module, Value } from '../ir/ir.ts';
import type { Opcode } from '../ir/opcodes.ts';
import { rewriteModule } from '../ir/rewrite.ts';
import { elementOf, scalarClass } from '../types/type.ts';

/**
 * What holds if no float is infinite or NaN (`-ffinite-math-only`), and holds exactly then: a number equals itself, its
 * difference to itself is 0, and of two numbers one is less or they are not. What is precise stays, and so does x * 0, for a zero
 * has a sign.
 *
 *     %a: bool = intrinsic "isnan" %x
 *     %b: bool = less %x, %y
 *     %c: bool = logical_not %b         %c: bool = greater_equal %x, %y
 *
 * Positions: what replaces an instruction takes its position.
 */
export function assumeFinite(module: Module): boolean {
  return rewriteModule(module, (instruction, builder) => {
    const value = finite(instruction, builder);
    return value && [value];
  });
}

/** Of a number with itself. */
const withItself: Partial<Record<Opcode, boolean | 0>> = {
  sub: 0,
  equal: true,
  less_equal: true,
  greater_equal: true,
  not_equal: false,
};

const opposites = {
  less: 'greater_equal',
  less_equal: 'greater',
  greater: 'less_equal',
  greater_equal: 'less',
} as const;

function finite(instruction: Instruction, builder: Builder): Value | undefined {
  const { op, operands, results, precise } = instruction;
  const [a, b] = operands;
  const type = results[0]?.type;
  if (!a || !type || precise) return undefined;
  if (op === 'logical_not') return opposite(a, builder);
  if (!isFloat(a)) return undefined;
  if (op === 'intrinsic') {
    const { ofFinite } = intrinsicOf(instruction);
    return ofFinite === undefined ? undefined : builder.fill(type, ofFinite);
  }
  const value = a === b ? withItself[op] : undefined;
  return value === undefined ? undefined : builder.fill(type, value);
}

function opposite(compared: Value, builder: Builder): Value | undefined {
  if (compared.kind !== 'result') return undefined;
  const { op, operands } = compared.instruction;
  if (!(op in opposites) || !isFloat(operands[0]!)) return undefined;
  return builder.compare(opposites[op as keyof typeof opposites], operands[0]!, operands[1]!);
}

function isFloat({ type }: Value): boolean {
  const element = elementOf(type);
  return element !== undefined && scalarClass(element) === 'float';
}
