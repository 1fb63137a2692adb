/** How much of a module's code has a place, and how many of the variables that the source has at a step can be seen there. */
import { type DebugModule, type ReadRecord, scopeChain } from './debug-reader.ts';
import { Op } from './enums.ts';
import { walkBlock } from './verify-debug-code.ts';

export interface DebugCoverage {
  /** Instructions that do something. */
  instructions: number;
  withScope: number;
  withLine: number;
  /** Places where a debugger stops: the line is another than at the instruction before. */
  steps: number;
  /** Variables that are declared at a step, over all steps; and those of them that have a value there. */
  variableSteps: number;
  visible: number;
}

/** What a record in the code says of a variable from there on. */
export interface Mapping {
  at: number;
  variable: ReadRecord;
  /** The part, outermost index first. */
  indices: number[];
  /** DebugDeclare: memory; DebugValue: a value. */
  record: ReadRecord;
  scope: number;
  /** The chain of calls the code was inlined through; 0 for none. */
  inlined: number;
}

/**
 * What debuggers that order records by their place in the module show at an instruction: the last record for each part that stands
 * before it, was made in the scope of the instruction or one around it, and through the same calls.
 */
export function visibleAt(
  module: DebugModule,
  mappings: readonly Mapping[],
  at: number,
  scope: number,
  inlined: number,
): Map<number, Mapping[]> {
  const scopes = new Set(scopeChain(module, scope).map(({ id }) => id));
  const found = new Map<number, Mapping[]>();
  for (const mapping of mappings) {
    if (mapping.at >= at) break;
    if (mapping.inlined !== inlined || !scopes.has(mapping.scope)) continue;
    const list = found.get(mapping.variable.id) ?? [];
    // A record replaces those for the same part or parts of it.
    const kept = list.filter((old) => !mapping.indices.every((index, i) => old.indices[i] === index));
    kept.push(mapping);
    found.set(mapping.variable.id, kept);
  }
  return found;
}

/** The records of one function in the order of the module. */
export function mappingsOf(module: DebugModule, target: DebugModule['functions'][number]): Mapping[] {
  const mappings: Mapping[] = [];
  for (const block of target.blocks) {
    walkBlock(module, block, (at, { scope }, record) => {
      if (!scope || (record?.name !== 'DebugDeclare' && record?.name !== 'DebugValue')) return;
      const variable = module.byId.get(record.operands[0]!);
      if (!variable) return;
      const indices = record.operands.slice(3).map((id) => module.number(id));
      const [scopeId, inlined = 0] = scope.operands as [number, number?];
      mappings.push({ at, variable, indices, record, scope: scopeId, inlined });
    });
  }
  return mappings;
}

/** False for a record that ends a variable's value. */
export function hasValue(module: DebugModule, { record }: Mapping): boolean {
  return module.definitions.get(record.operands[1]!)?.op !== Op.Undef;
}

export function debugCoverage(module: DebugModule): DebugCoverage {
  const sum: DebugCoverage = {
    instructions: 0,
    withScope: 0,
    withLine: 0,
    steps: 0,
    variableSteps: 0,
    visible: 0,
  };
  const locals = module.all('DebugLocalVariable');
  for (const target of module.functions) {
    const mappings = mappingsOf(module, target);
    let before = '';
    for (const block of target.blocks) {
      walkBlock(module, block, (at, { scope, line }, record) => {
        if (record) return;
        sum.instructions++;
        if (scope) sum.withScope++;
        if (line?.name === 'DebugLine') sum.withLine++;
        if (!scope || line?.name !== 'DebugLine') return;
        const [scopeId, inlined = 0] = scope.operands as [number, number?];
        const step = [line.operands[0], line.operands[1], inlined].join();
        if (step === before) return;
        before = step;
        sum.steps++;
        const visible = visibleAt(module, mappings, at, scopeId, inlined);
        for (const local of declaredAt(module, locals, scopeId, line)) {
          sum.variableSteps++;
          if (visible.get(local.id)?.some((mapping) => hasValue(module, mapping))) sum.visible++;
        }
      });
    }
  }
  return sum;
}

/** Textures and the like have no value: their types have neither size nor members. */
function isHandle(module: DebugModule, type: number): boolean {
  let record = module.byId.get(type);
  // Arrays of arrays; not without end if they hold themselves.
  for (let depth = 0; record?.name === 'DebugTypeArray' && depth < 50; depth++)
    record = module.byId.get(record.operands[0]!);
  return (
    record?.name === 'DebugTypeComposite' && module.byId.get(record.operands[7]!)?.name === 'DebugInfoNone'
  );
}

/** Variables of the scope and those around it whose declaration ends above the line. */
function declaredAt(
  module: DebugModule,
  locals: readonly ReadRecord[],
  scope: number,
  line: ReadRecord,
): ReadRecord[] {
  const scopes = new Set(scopeChain(module, scope).map(({ id }) => id));
  return locals.filter(({ operands }) => {
    if (!scopes.has(operands[5]!) || isHandle(module, operands[1]!)) return false;
    return operands[2] !== line.operands[0] || module.number(operands[3]) < module.number(line.operands[1]);
  });
}
