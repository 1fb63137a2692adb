/**
 * Values that travel through control instructions: which operands of which terminators become a result of an `if`, `switch`
 * or `loop`, or a parameter of a loop's blocks.
 */
import type { Block, Function as IrFunction, Instruction, Parameter } from './ir.ts';

/** Operand `first + n` of `instruction` becomes value n. */
export interface Supplier {
  instruction: Instruction;
  first: number;
}

export interface Flow {
  /** `yield`, `break` and `repeat_if` that leave a control instruction. */
  results: Map<Instruction, Supplier[]>;
  /** By loop: itself, and `repeat` or `repeat_if`. */
  body: Map<Instruction, Supplier[]>;
  /** By loop: its `continue`s. */
  continuing: Map<Instruction, Supplier[]>;
  /** Parameters of loops' blocks. `block` is 0 for the body, 1 for the continuing block. */
  parameters: Map<Parameter, { loop: Instruction; block: 0 | 1; index: number }>;
  /** The control instruction around each control instruction and terminator; none at the top. */
  parents: Map<Instruction, Instruction>;
}

interface Targets {
  parent: Instruction | undefined;
  /** What `yield` ends; absent in loops' blocks. */
  yields: Instruction | undefined;
  breaks: Instruction | undefined;
  continues: Instruction | undefined;
  /** In continuing blocks. */
  repeats: Instruction | undefined;
}
/** The others have the same fields, for engines like one shape. */
const nowhere: Targets = {
  parent: undefined,
  yields: undefined,
  breaks: undefined,
  continues: undefined,
  repeats: undefined,
};

/** One walk over the function; changes made afterwards do not show. */
export function collectFlow(fn: IrFunction): Flow {
  const flow: Flow = {
    results: new Map(),
    body: new Map(),
    continuing: new Map(),
    parameters: new Map(),
    parents: new Map(),
  };
  visit(fn.body, nowhere, flow);
  return flow;
}

function visit(block: Block, targets: Targets, flow: Flow): void {
  const { instructions } = block;
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i]!;
    const isControl = instruction.blocks.length > 0;
    // A terminator stands at the end and nowhere else.
    if (!isControl && i < instructions.length - 1) continue;
    if (targets.parent) flow.parents.set(instruction, targets.parent);
    if (isControl) visitControl(instruction, targets, flow);
    else supply(instruction, targets, flow);
  }
}

function visitControl(control: Instruction, outer: Targets, flow: Flow): void {
  flow.results.set(control, []);
  if (control.op !== 'loop') {
    const targets: Targets = {
      parent: control,
      yields: control,
      breaks: control.op === 'switch' ? control : outer.breaks,
      continues: outer.continues,
      repeats: outer.repeats,
    };
    for (const block of control.blocks) visit(block, targets, flow);
    return;
  }
  flow.body.set(control, [{ instruction: control, first: 0 }]);
  flow.continuing.set(control, []);
  control.blocks.forEach((block, i) => {
    block.parameters.forEach((parameter, index) => {
      flow.parameters.set(parameter, { loop: control, block: i as 0 | 1, index });
    });
  });
  visit(control.blocks[0]!, { ...nowhere, parent: control, breaks: control, continues: control }, flow);
  visit(control.blocks[1]!, { ...nowhere, parent: control, repeats: control }, flow);
}

function supply(instruction: Instruction, targets: Targets, { results, body, continuing }: Flow): void {
  const { yields, breaks, continues, repeats } = targets;
  switch (instruction.op) {
    case 'yield':
      results.get(yields!)!.push({ instruction, first: 0 });
      return;
    case 'break':
      results.get(breaks!)!.push({ instruction, first: 0 });
      return;
    case 'continue':
      continuing.get(continues!)!.push({ instruction, first: 0 });
      return;
    case 'repeat':
      body.get(repeats!)!.push({ instruction, first: 0 });
      return;
    case 'repeat_if':
      body.get(repeats!)!.push({ instruction, first: 1 });
      results.get(repeats!)!.push({ instruction, first: 1 + (instruction.repeatCount ?? 0) });
      return;
    default:
  }
}

/** Takes results and parameters away, with the operands that become them. Says whether there were any. */
export function dropSlots(
  flow: Flow,
  isDead: (value: Parameter | Instruction['results'][number]) => boolean,
): boolean {
  const operands = new Map<Instruction, Set<number>>();
  const drop = (suppliers: readonly Supplier[], index: number): void => {
    for (const { instruction, first } of suppliers) {
      const known = operands.get(instruction);
      if (known) known.add(first + index);
      else operands.set(instruction, new Set([first + index]));
    }
  };
  for (const [control, suppliers] of flow.results) {
    if (!control.results.some(isDead)) continue;
    control.results.forEach((result, i) => {
      if (isDead(result)) drop(suppliers, i);
    });
    control.results = control.results.filter((result) => !isDead(result));
  }
  for (const [suppliersOf, index] of [
    [flow.body, 0],
    [flow.continuing, 1],
  ] as const)
    for (const [loop, suppliers] of suppliersOf) {
      const block = loop.blocks[index]!;
      if (!block.parameters.some(isDead)) continue;
      block.parameters.forEach((parameter, i) => {
        if (isDead(parameter)) drop(suppliers, i);
      });
      block.parameters = block.parameters.filter((parameter) => !isDead(parameter));
    }
  for (const [instruction, dead] of operands) {
    const { repeatCount } = instruction;
    if (repeatCount !== undefined)
      instruction.repeatCount = repeatCount - [...dead].filter((index) => index <= repeatCount).length;
    instruction.operands = instruction.operands.filter((_, i) => !dead.has(i));
  }
  return operands.size > 0;
}

/** What leaves one `switch` or `loop` for what follows it; `yield` for a switch's groups. */
export function leavesOf(control: Instruction): Supplier[] {
  const found: Supplier[] = [];
  const collect = (block: Block): void => {
    for (const instruction of block.instructions) {
      if (instruction.op === 'break') found.push({ instruction, first: 0 });
      else if (instruction.op === 'repeat_if')
        found.push({ instruction, first: 1 + (instruction.repeatCount ?? 0) });
      else if (instruction.op === 'if') instruction.blocks.forEach(collect);
    }
  };
  for (const block of control.blocks) {
    collect(block);
    const last = block.instructions[block.instructions.length - 1]!;
    if (control.op === 'switch' && last.op === 'yield') found.push({ instruction: last, first: 0 });
  }
  return found;
}

/** The `continue`s of one loop. */
export function continuesOf(loop: Instruction): Instruction[] {
  return continuesIn(loop.blocks[0]!.instructions);
}

/** The `continue`s among instructions of a loop's body, those in control instructions too. */
export function continuesIn(instructions: readonly Instruction[]): Instruction[] {
  return instructions.flatMap((instruction) => {
    if (instruction.op === 'continue') return [instruction];
    if (instruction.op !== 'if' && instruction.op !== 'switch') return [];
    return instruction.blocks.flatMap((block) => continuesIn(block.instructions));
  });
}
