/** DebugDeclare and DebugValue: that each is in the scope of its variable, and that its value is of the part it is said to be. */
import { type DebugModule, type ReadInstruction, type ReadRecord, scopeChain } from './debug-reader.ts';
import { Op } from './enums.ts';
import { walkBlock } from './verify-debug-code.ts';
import { titleOf } from './verify-debug-records.ts';

export function checkVariables(module: DebugModule): string[] {
  const problems: string[] = [];
  const parts = new Map<number, { declared: string[]; valued: string[] }>();
  for (const target of module.functions) {
    for (const block of target.blocks) {
      walkBlock(module, block, (_, { scope }, record) => {
        if (record?.name !== 'DebugDeclare' && record?.name !== 'DebugValue') return;
        const local = module.byId.get(record.operands[0]!);
        if (local?.name !== 'DebugLocalVariable') return;
        const title = `${record.name} of '${module.text(local.operands[0])}'`;
        if (scope && !scopeChain(module, scope.operands[0]!).some(({ id }) => id === local.operands[5]))
          problems.push(`${title} stands outside the scope of the variable`);
        checkRecord(module, record, local, title, problems);
        const known = parts.get(local.id) ?? { declared: [], valued: [] };
        parts.set(local.id, known);
        const indices = record.operands.slice(3).map((id) => module.number(id));
        (record.name === 'DebugDeclare' ? known.declared : known.valued).push(`${indices.join('.')}.`);
      });
    }
  }
  for (const [id, { declared, valued }] of parts) {
    const isBoth = declared.some((one) => valued.some((two) => overlap(one, two)));
    if (isBoth)
      problems.push(
        `a part of '${module.text(module.byId.get(id)!.operands[0])}' has a declaration and values`,
      );
  }
  return [...problems, ...checkArguments(module)];
}

/** Paths `1.0.` and `1.` are about the same memory. The path of the whole is `.`. */
function overlap(one: string, two: string): boolean {
  const [a, b] = [one === '.' ? '' : one, two === '.' ? '' : two];
  return a.startsWith(b) || b.startsWith(a);
}

function checkRecord(
  module: DebugModule,
  { name, operands }: ReadRecord,
  local: ReadRecord,
  title: string,
  problems: string[],
): void {
  const value = module.definitions.get(operands[1]!);
  const indices = operands.slice(3);
  if (indices.some((id) => !isIndex(module, id))) {
    problems.push(`${title} has an index that is no constant`);
    return;
  }
  if (name === 'DebugDeclare' && value?.op !== Op.Variable && value?.op !== Op.FunctionParameter)
    problems.push(`${title} is about something else than a variable or parameter`);
  if (!value?.type) return;
  let type = module.definitions.get(value.type);
  const isDeref = (module.byId.get(operands[2]!)?.operands.length ?? 0) > 0;
  if (type?.op === Op.TypePointer) {
    if (name === 'DebugValue' && !isDeref) problems.push(`${title} shows a pointer as the value`);
    type = module.definitions.get(type.words[2]!);
  }
  const part = selectPart(
    module,
    local.operands[1]!,
    indices.map((id) => module.number(id)),
  );
  if (part === 'outside') problems.push(`${title} has an index that its type does not have`);
  else if (type && value.op !== Op.Undef && !fits(module, part, type.result!, new Map()))
    problems.push(`${title} has another type than the variable`);
}

function isIndex(module: DebugModule, id: number): boolean {
  const definition = module.definitions.get(id);
  return definition?.op === Op.Constant && module.definitions.get(definition.type!)?.op === Op.TypeInt;
}

/** A debug type: its record, and how many dimensions of an array are used up. */
interface Part {
  record: ReadRecord | undefined;
  dimension: number;
}

function resolve(module: DebugModule, id: number): ReadRecord | undefined {
  let record = module.byId.get(id);
  for (let depth = 0; record && depth < 50; depth++) {
    const base = { DebugTypePointer: 0, DebugTypeQualifier: 0, DebugTypeTemplate: 0, DebugTypedef: 1 }[
      record.name
    ];
    if (base === undefined) return record;
    record = module.byId.get(record.operands[base]!);
  }
  return record;
}

function selectPart(module: DebugModule, type: number, indices: number[]): Part | 'outside' {
  let part: Part = { record: resolve(module, type), dimension: 0 };
  for (const index of indices) {
    const { record, dimension }: Part = part;
    const operands = record?.operands ?? [];
    switch (record?.name) {
      case 'DebugTypeArray': {
        const counts = operands.slice(1).map((id) => module.number(id));
        if (index >= counts[dimension]! && counts[dimension] !== 0) return 'outside';
        part =
          dimension + 1 < counts.length
            ? { record, dimension: dimension + 1 }
            : { record: resolve(module, operands[0]!), dimension: 0 };
        break;
      }
      case 'DebugTypeComposite': {
        const member = module.byId.get(operands[9 + index]!);
        if (!member) return 'outside';
        part = { record: resolve(module, member.operands[1]!), dimension: 0 };
        break;
      }
      case 'DebugTypeVector':
      case 'DebugTypeMatrix':
        if (index >= module.number(operands[1])) return 'outside';
        part = { record: resolve(module, operands[0]!), dimension: 0 };
        break;
      default:
        return 'outside';
    }
  }
  return part;
}

/**
 * True if a value of the SPIR-V type can be shown as the debug type. `known`: what was found before; it also ends the way through types
 * that hold themselves, which another check reports.
 */
function fits(module: DebugModule, part: Part, typeId: number, known: Map<string, boolean>): boolean {
  const type = module.definitions.get(typeId);
  if (!part.record || !type) return true;
  const key = `${part.record.id},${part.dimension},${typeId}`;
  let found = known.get(key);
  if (found === undefined) {
    known.set(key, true);
    found = fitsType(module, { ...part, record: part.record }, type, known);
    known.set(key, found);
  }
  return found;
}

function fitsType(
  module: DebugModule,
  { record, dimension }: Part & { record: ReadRecord },
  type: ReadInstruction,
  known: Map<string, boolean>,
): boolean {
  const { operands } = record;
  switch (record.name) {
    case 'DebugTypeBasic':
    case 'DebugTypeEnum':
      return isScalar(module, record, type.op, type.words[1]!);
    case 'DebugTypeVector': {
      const element: Part = { record: resolve(module, operands[0]!), dimension: 0 };
      const count = module.number(operands[1]);
      if (count === 1 && type.op !== Op.TypeVector) return fits(module, element, type.result!, known);
      const isShaped = type.op === Op.TypeVector && type.words[2] === count;
      return isShaped && fits(module, element, type.words[1]!, known);
    }
    case 'DebugTypeMatrix':
      return type.op === Op.TypeMatrix && type.words[2] === module.number(operands[1]);
    case 'DebugTypeArray': {
      const count = module.number(operands[1 + dimension]);
      const isLast = dimension + 2 >= operands.length;
      const inner: Part = isLast
        ? { record: resolve(module, operands[0]!), dimension: 0 }
        : { record, dimension: dimension + 1 };
      if (type.op === Op.TypeRuntimeArray) return fits(module, inner, type.words[1]!, known);
      const length = module.definitions.get(type.words[2]!)?.words[2];
      return type.op === Op.TypeArray && length === count && fits(module, inner, type.words[1]!, known);
    }
    case 'DebugTypeComposite': {
      const members = operands.slice(9);
      // Handles have no members, and nothing to compare.
      if (members.length === 0 || type.op !== Op.TypeStruct) return members.length === 0;
      if (type.words.length - 1 !== members.length) return false;
      return members.every((id, i) => {
        const member = module.byId.get(id)?.operands[1];
        const inner: Part = {
          record: member === undefined ? undefined : resolve(module, member),
          dimension: 0,
        };
        return fits(module, inner, type.words[1 + i]!, known);
      });
    }
    default:
      return true;
  }
}

function isScalar(module: DebugModule, record: ReadRecord, op: number, bits: number): boolean {
  const isEnum = record.name === 'DebugTypeEnum';
  const size = module.number(record.operands[isEnum ? 6 : 1]);
  const encoding = isEnum ? 4 : module.number(record.operands[2]);
  // In memory a bool is a number.
  if (encoding === 2) return op === Op.TypeBool || op === Op.TypeInt;
  if (encoding === 3) return op === Op.TypeFloat && bits === size;
  return op === Op.TypeInt && bits === size;
}

/** Parameters are numbered from 1 without gaps and belong to the function itself. */
function checkArguments(module: DebugModule): string[] {
  const problems: string[] = [];
  const numbers = new Map<number, number[]>();
  for (const record of module.all('DebugLocalVariable')) {
    const parent = module.byId.get(record.operands[5]!);
    if (parent?.name === 'DebugCompilationUnit')
      problems.push(`${titleOf(module, record)} belongs to no function`);
    if (record.operands[7] === undefined) continue;
    if (parent?.name !== 'DebugFunction')
      problems.push(`${titleOf(module, record)} is a parameter and belongs to a block`);
    else numbers.set(parent.id, [...(numbers.get(parent.id) ?? []), module.number(record.operands[7])]);
  }
  for (const [id, list] of numbers) {
    const isRow = [...list].sort((a, b) => a - b).every((n, i) => n === i + 1);
    if (!isRow)
      problems.push(
        `the parameters of '${module.text(module.byId.get(id)!.operands[0])}' are numbered ${list.join(', ')}`,
      );
  }
  return problems;
}
