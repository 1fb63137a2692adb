/**
 * The rules that a module keeps between stages: structure, dominance, places of instructions and positions here, types in
 * validate-types.ts. Tests run it after every stage and pass.
 */
import type { PositionId, Scope } from '../source/position.ts';
import { hasOpaque, type Type, typeName } from '../types/type.ts';
import type { Block, Constant, Instruction, Function as IrFunction, Module, Value } from './ir.ts';
import type { Opcode } from './opcodes.ts';
import { checkTypes } from './validate-types.ts';
import { opcodeRow } from './walk.ts';

/** What is wrong with the module, a sentence each; empty when it is valid. */
export function validate(module: Module): string[] {
  const problems: string[] = [];
  const globals = new Set<Value>(module.globals);
  const state: State = {
    module,
    problems,
    globals,
    functions: new Set(module.functions),
    variables: new Set(module.debugVariables),
  };
  checkModule(state);
  for (const fn of module.functions) new FunctionValidator(fn, state).check();
  return problems;
}

interface State {
  module: Module;
  problems: string[];
  globals: Set<Value>;
  functions: Set<IrFunction>;
  variables: Set<unknown>;
}

function checkModule({ module, problems, globals }: State): void {
  if (module.unit.kind !== 'unit') problems.push('the unit scope is no unit');
  if (globals.size !== module.globals.length) problems.push('a global is listed twice');
  for (const global of module.globals) {
    const { role, type, name } = global;
    if (role.kind === 'spec-constant') {
      if (type.kind !== 'scalar') problems.push(`@${name}: a spec constant is a scalar`);
      if (global.init?.type !== type) problems.push(`@${name}: a spec constant needs a default of its type`);
      continue;
    }
    if (type.kind !== 'pointer' || type.space !== role.kind) {
      problems.push(`@${name}: '${typeName(type)}' is no pointer of space ${role.kind}`);
      continue;
    }
    if (role.kind !== 'resource' && hasOpaque(type.pointee))
      problems.push(`@${name}: opaque outside resources`);
    if (global.init && (role.kind !== 'private' || global.init.type !== type.pointee)) {
      problems.push(`@${name}: an initializer of type '${typeName(global.init.type)}' does not fit`);
    }
    if (global.init) checkConstant(global.init, (problem) => problems.push(`@${name}: ${problem}`));
  }
}

function checkConstant({ type, value }: Constant, report: (problem: string) => void): void {
  if (typeof value !== 'object') {
    if (type.kind !== 'scalar' && type.kind !== 'enum')
      report(`a scalar constant of type '${typeName(type)}'`);
    return;
  }
  const count =
    type.kind === 'vector'
      ? type.count
      : type.kind === 'matrix'
        ? type.rows
        : type.kind === 'array'
          ? type.size
          : type.kind === 'struct'
            ? type.members.length
            : -1;
  if (count !== value.length) report(`a constant of '${typeName(type)}' with ${value.length} parts`);
  for (const part of value) checkConstant(part, report);
}

/** What encloses a block, from the inside out. */
interface Place {
  kind: 'function' | 'if' | 'switch' | 'body' | 'continuing';
  instruction?: Instruction;
  outer?: Place;
  /** Switch: the block is the last. */
  last?: boolean;
}

class FunctionValidator {
  readonly #fn: IrFunction;
  readonly #state: State;
  /** Values that may be used at the place that is looked at. */
  readonly #visible = new Set<Value>();

  constructor(fn: IrFunction, state: State) {
    this.#fn = fn;
    this.#state = state;
  }

  check(): void {
    const { scope, entry, parameters, returnType, body } = this.#fn;
    if (scope.kind !== 'function') this.#report('its scope is no function');
    if (entry && (parameters.length || returnType.kind !== 'void'))
      this.#report('an entry point has no parameters and returns void');
    for (const parameter of parameters) {
      if (parameter.type.kind === 'pointer' && parameter.type.space === 'function')
        this.#noOpaque(parameter.type.pointee);
      this.#visible.add(parameter);
    }
    for (const global of entry ? [...entry.inputs, ...entry.outputs] : []) {
      if (!this.#state.globals.has(global))
        this.#report(`the interface global '${global.name}' is not in the module`);
    }
    this.#block(body, { kind: 'function' });
  }

  #noOpaque(type: Type): void {
    if (hasOpaque(type)) this.#report(`memory of opaque type '${typeName(type)}'`);
  }

  #report(problem: string, instruction?: Instruction): void {
    const at = instruction && instruction.position > 0 ? ` at ${this.#placeText(instruction.position)}` : '';
    this.#state.problems.push(`${this.#fn.name}: ${problem}${at}`);
  }

  #placeText(id: PositionId): string {
    const { module } = this.#state;
    const { file, line, column } = module.sourceMap.place(module.positions.get(id).location);
    return `${file.name}:${line}:${column}`;
  }

  #block(block: Block, place: Place): void {
    const added: Value[] = [...block.parameters];
    if (block.parameters.length && place.kind !== 'body' && place.kind !== 'continuing')
      this.#report(`a ${place.kind} block has parameters`);
    for (const parameter of block.parameters) this.#visible.add(parameter);
    let head = place.kind === 'function';
    block.instructions.forEach((instruction, i) => {
      if (instruction.op === 'var' && !head)
        this.#report('var is not at the head of the function', instruction);
      if (instruction.op !== 'var') head = false;
      const last = i === block.instructions.length - 1;
      if (opcodeRow(instruction).terminator !== undefined && !last)
        this.#report(`${instruction.op} is not last`, instruction);
      if (last && !opcodeRow(instruction).terminator)
        this.#report('a block ends without a terminator', instruction);
      this.#instruction(instruction, place);
      for (const result of instruction.results) {
        if (result.instruction !== instruction)
          this.#report('a result belongs to another instruction', instruction);
        if (this.#visible.has(result)) this.#report('a value is defined twice', instruction);
        this.#visible.add(result);
        added.push(result);
      }
    });
    if (block.instructions.length === 0) this.#report('an empty block');
    for (const value of added) this.#visible.delete(value);
  }

  #instruction(instruction: Instruction, place: Place): void {
    const report = (problem: string): void => this.#report(problem, instruction);
    this.#position(instruction);
    for (const operand of instruction.operands) this.#operand(operand, instruction);
    if (opcodeRow(instruction).terminator) this.#terminator(instruction, place);
    else {
      checkTypes(instruction, this.#state.module, report);
      if (instruction.callee && !this.#state.functions.has(instruction.callee))
        report(`the callee '${instruction.callee.name}' is not in the module`);
      if (instruction.op === 'debug_declare' || instruction.op === 'debug_value') this.#debug(instruction);
      this.#control(instruction, place);
    }
  }

  #operand(operand: Value, instruction: Instruction): void {
    switch (operand.kind) {
      case 'constant':
        checkConstant(operand, (problem) => this.#report(problem, instruction));
        return;
      case 'global':
        if (!this.#state.globals.has(operand))
          this.#report(`the global '${operand.name}' is not in the module`, instruction);
        return;
      case 'parameter':
      case 'result':
        if (!this.#visible.has(operand))
          this.#report(`${instruction.op} uses a value that does not dominate it`, instruction);
        return;
      case 'undef':
        return;
    }
  }

  #debug(instruction: Instruction): void {
    const { variable, operands } = instruction;
    if (!variable || !this.#state.variables.has(variable))
      this.#report(`${instruction.op} names no variable of the module`, instruction);
    if (instruction.op !== 'debug_declare') return;
    const operand = operands[0];
    const memory =
      operand?.type.kind === 'pointer' &&
      (operand.kind === 'parameter' || (operand.kind === 'result' && operand.instruction.op === 'var'));
    if (!memory) this.#report('debug_declare needs a var or a pointer parameter', instruction);
  }

  #position(instruction: Instruction): void {
    if (instruction.position === 0) {
      this.#report(`${instruction.op} has no position`);
      return;
    }
    const { positions } = this.#state.module;
    let position = positions.get(instruction.position);
    while (position.inlinedAt !== 0) position = positions.get(position.inlinedAt);
    if (functionOf(position.scope) !== this.#fn.scope)
      this.#report(`the scope of ${instruction.op} is not in the function`, instruction);
  }

  // ---- control

  #control(instruction: Instruction, outer: Place): void {
    const { op, blocks, operands } = instruction;
    const [first, second] = blocks;
    switch (op) {
      case 'if':
        if (operands[0]?.type.kind !== 'scalar' || operands[0].type.name !== 'bool')
          this.#report('the condition is no bool', instruction);
        if (blocks.length !== 2) {
          this.#report('if needs two blocks', instruction);
          return;
        }
        for (const block of blocks) this.#block(block, { kind: 'if', instruction, outer });
        return;
      case 'loop': {
        if (!first || !second || blocks.length !== 2) {
          this.#report('loop needs two blocks', instruction);
          return;
        }
        this.#match('the loop enters', operands, first.parameters, instruction);
        this.#block(first, { kind: 'body', instruction, outer });
        // The body always runs before the continuing block, so its parameters may be used there.
        for (const parameter of first.parameters) this.#visible.add(parameter);
        this.#block(second, { kind: 'continuing', instruction, outer });
        for (const parameter of first.parameters) this.#visible.delete(parameter);
        return;
      }
      case 'switch':
        this.#cases(instruction);
        blocks.forEach((block, i) => {
          this.#block(block, { kind: 'switch', instruction, outer, last: i + 1 === blocks.length });
        });
        return;
      default:
        if (blocks.length) this.#report(`${op} has blocks`, instruction);
    }
  }

  #cases(instruction: Instruction): void {
    const { cases, blocks, operands } = instruction;
    const selector = operands[0]?.type;
    if (selector?.kind !== 'scalar' || !/int/.test(selector.name))
      this.#report('the selector is no integer', instruction);
    if (cases?.length !== blocks.length) {
      this.#report('labels and blocks differ in number', instruction);
      return;
    }
    const labels = cases.flat();
    if (new Set(labels).size !== labels.length) this.#report('a label stands twice', instruction);
    if (cases.some((group) => group.length === 0)) this.#report('a group without label', instruction);
    if (instruction.results.length && !labels.includes('default'))
      this.#report('a switch with results needs a default', instruction);
  }

  #terminator(instruction: Instruction, place: Place): void {
    const { op, operands } = instruction;
    const wrong = (): void => this.#report(`${op} cannot end a ${place.kind} block`, instruction);
    if (instruction.results.length || instruction.blocks.length)
      this.#report(`${op} has results or blocks`, instruction);
    switch (op) {
      case 'yield':
        if (place.kind !== 'if' && place.kind !== 'switch') {
          wrong();
          return;
        }
        this.#match('yield', operands, place.instruction!.results, instruction);
        return;
      case 'fallthrough':
        if (place.kind !== 'switch' || place.last) {
          wrong();
          return;
        }
        this.#match('fallthrough', operands, [], instruction);
        return;
      case 'break':
      case 'continue':
        this.#leave(instruction, place);
        return;
      case 'repeat':
      case 'repeat_if':
        if (place.kind !== 'continuing') {
          wrong();
          return;
        }
        this.#repeat(instruction, place.instruction!);
        return;
      case 'return': {
        const { returnType } = this.#fn;
        if (inContinuing(place)) {
          wrong();
          return;
        }
        if ((operands.length === 0) !== (returnType.kind === 'void')) {
          this.#report('return does not fit the return type', instruction);
          return;
        }
        if (operands[0] && operands[0].type !== returnType)
          this.#report('return has another type', instruction);
        return;
      }
      case 'unreachable':
        if (place.kind === 'continuing') wrong();
        return;
      default:
        this.#unknownTerminator(op);
        return;
    }
  }

  #unknownTerminator(op: Opcode): void {
    this.#report(`unknown terminator ${op}`);
  }

  #leave(instruction: Instruction, from: Place): void {
    const { op, operands } = instruction;
    let place: Place | undefined = from;
    while (place && (place.kind === 'if' || (op === 'continue' && place.kind === 'switch')))
      place = place.outer;
    if (!place || place.kind === 'function' || place.kind === 'continuing') {
      this.#report(`${op} outside a ${op === 'break' ? 'loop or switch' : 'loop body'}`, instruction);
      return;
    }
    const target = place.instruction!;
    this.#match(
      op,
      operands,
      op === 'break' ? target.results : (target.blocks[1]?.parameters ?? []),
      instruction,
    );
  }

  #repeat(instruction: Instruction, loop: Instruction): void {
    const { op, operands, repeatCount } = instruction;
    const entering = loop.blocks[0]?.parameters ?? [];
    if (op === 'repeat') {
      this.#match('repeat', operands, entering, instruction);
      return;
    }
    if (operands[0]?.type.kind !== 'scalar' || operands[0].type.name !== 'bool')
      this.#report('the condition is no bool', instruction);
    const count = 1 + (repeatCount ?? 0);
    this.#match('repeat_if', operands.slice(1, count), entering, instruction);
    this.#match('repeat_if', operands.slice(count), loop.results, instruction);
  }

  #match(
    what: string,
    values: readonly Value[],
    targets: readonly { type: Type }[],
    instruction: Instruction,
  ): void {
    if (values.length !== targets.length) {
      this.#report(`${what} with ${values.length} values for ${targets.length}`, instruction);
      return;
    }
    values.forEach((value, i) => {
      if (value.type !== targets[i]!.type) {
        this.#report(
          `${what} with '${typeName(value.type)}' for '${typeName(targets[i]!.type)}'`,
          instruction,
        );
      }
    });
  }
}

/** A return cannot leave a continuing block, nor ifs in it. */
function inContinuing(place: Place | undefined): boolean {
  for (; place; place = place.outer) {
    if (place.kind === 'continuing') return true;
  }
  return false;
}

function functionOf(scope: Scope): Scope {
  let at = scope;
  while (at.kind === 'block' && at.parent) at = at.parent;
  return at;
}
