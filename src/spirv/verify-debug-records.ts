/** Records at module scope: where they stand, what their operands are, and that the places they name exist. */
import { type DebugModule, type ReadRecord, sourceLines } from './debug-reader.ts';
import { Op } from './enums.ts';

/** Records that stand in blocks; all others stand before the first function. */
export const recordsInBlocks: ReadonlySet<string> = new Set([
  'DebugScope',
  'DebugNoScope',
  'DebugLine',
  'DebugNoLine',
  'DebugDeclare',
  'DebugValue',
  'DebugFunctionDefinition',
]);

/**
 * The operands of each record. u: unsigned constant; s: string; t: type; v: the void type or a type; source, scope, unit,
 * function, expression: records; b: a constant of type bool (or unsigned, as some write it); i: any id. `?` may be missing, `*` repeats.
 */
const signatures: Record<string, string> = {
  DebugInfoNone: '',
  DebugCompilationUnit: 'u u source u',
  DebugTypeBasic: 's u u u',
  DebugTypePointer: 't u u',
  DebugTypeQualifier: 't u',
  DebugTypeArray: 't u u*',
  DebugTypeVector: 't u',
  DebugTypedef: 's t source u u scope',
  DebugTypeFunction: 'u v v*',
  DebugTypeEnum: 's t source u u scope u u i*',
  DebugTypeComposite: 's u source u u scope s i u i*',
  DebugTypeMember: 's t source u u u u u i?',
  DebugTypeInheritance: 't u u u',
  DebugTypeTemplate: 'i i*',
  DebugTypeTemplateParameter: 's v i source u u',
  DebugGlobalVariable: 's t source u u scope s i u t?',
  DebugFunctionDeclaration: 's t source u u scope s u',
  DebugFunction: 's t source u u scope s u u i?',
  DebugLexicalBlock: 'source u u scope s?',
  DebugLexicalBlockDiscriminator: 'source u scope',
  DebugScope: 'scope inlined?',
  DebugNoScope: '',
  DebugInlinedAt: 'u scope inlined?',
  DebugLocalVariable: 's t source u u scope u u?',
  DebugInlinedVariable: 'i inlined',
  DebugDeclare: 'local i expression i*',
  DebugValue: 'local i expression i*',
  DebugOperation: 'u u*',
  DebugExpression: 'operation*',
  DebugSource: 's s?',
  DebugFunctionDefinition: 'function i',
  DebugSourceContinued: 's',
  DebugLine: 'source u u u u',
  DebugNoLine: '',
  DebugBuildIdentifier: 's u',
  DebugStoragePath: 's',
  DebugEntryPoint: 'function unit s s',
  DebugTypeMatrix: 't u b',
};

const kindNames: Record<string, RegExp> = {
  t: /^DebugType(?!Member|Inheritance|TemplateParameter)|^DebugTypedef$|^DebugInfoNone$/,
  source: /^DebugSource$/,
  scope: /^Debug(CompilationUnit|Function|LexicalBlock|LexicalBlockDiscriminator|TypeComposite)$/,
  unit: /^DebugCompilationUnit$/,
  function: /^DebugFunction$/,
  expression: /^DebugExpression$/,
  operation: /^DebugOperation$/,
  inlined: /^DebugInlinedAt$/,
  local: /^DebugLocalVariable$/,
};

export function checkRecords(module: DebugModule): string[] {
  return [
    ...checkOrder(module),
    ...module.records.flatMap((record) => checkOperands(module, record)),
    ...checkSources(module),
    ...checkEntryPoints(module),
    ...checkPlaces(module),
    ...checkTypes(module),
  ];
}

/** As messages show a record: with its name, where it has one. */
export function titleOf(module: DebugModule, { name, operands }: ReadRecord): string {
  const text = signatures[name]?.startsWith('s') ? module.text(operands[0]) : '';
  return text.length === 0 || name.startsWith('DebugSource') ? name : `${name} '${text}'`;
}

function checkOrder(module: DebugModule): string[] {
  const problems: string[] = [];
  const { code, records } = module;
  const found = code.findIndex(({ op }) => op === Op.Function);
  const firstFunction = found < 0 ? code.length : found;
  let lastGlobal = -1;
  for (const { op, at } of code) if (at < firstFunction && isGlobal(op)) lastGlobal = at;
  const defined = new Set<number>();
  for (const record of records) {
    const title = titleOf(module, record);
    if (recordsInBlocks.has(record.name)) {
      if (record.at < firstFunction) problems.push(`${title} stands outside of functions`);
    } else if (record.at > firstFunction) problems.push(`${title} stands inside a function`);
    else if (record.at < lastGlobal)
      problems.push(`${title} stands before a type, constant or global variable instead of after all`);
    for (const operand of record.operands) {
      if (module.byId.has(operand) && !defined.has(operand))
        problems.push(`${title} refers to a record behind it`);
    }
    if (module.definitions.get(module.code[record.at]!.words[0]!)?.op !== Op.TypeVoid)
      problems.push(`${title} has a result type other than void`);
    defined.add(record.id);
  }
  return problems;
}

const isGlobal = (op: number): boolean =>
  (op >= Op.TypeVoid && op <= Op.SpecConstantOp) || op === Op.Variable || op === Op.Undef;

function checkOperands(module: DebugModule, record: ReadRecord): string[] {
  const signature = signatures[record.name];
  if (signature === undefined) return [`${record.name} is no record that readers know`];
  const kinds = signature === '' ? [] : signature.split(' ');
  const title = titleOf(module, record);
  const { operands } = record;
  const least = kinds.filter((kind) => !/[?*]$/.test(kind)).length;
  if (operands.length < least) return [`${title} has ${operands.length} operands, fewer than ${least}`];
  if (operands.length > kinds.length && !signature.endsWith('*'))
    return [`${title} has ${operands.length} operands, more than ${kinds.length}`];
  const problems: string[] = [];
  operands.forEach((operand, i) => {
    const kind = (kinds[i] ?? kinds.at(-1)!).replace(/[?*]$/, '');
    if (!isOfKind(module, kind, operand))
      problems.push(`operand ${i + 1} of ${title} is not ${kindTexts[kind]}`);
  });
  return problems;
}

const kindTexts: Record<string, string> = {
  u: 'a constant of 32 bits without sign',
  s: 'a string',
  t: 'a debug type',
  v: 'a debug type or the void type',
  b: 'a constant of type bool',
  i: 'the id of anything',
  source: 'a DebugSource',
  scope: 'a scope',
  unit: 'the compilation unit',
  function: 'a DebugFunction',
  expression: 'a DebugExpression',
  operation: 'a DebugOperation',
  inlined: 'a DebugInlinedAt',
  local: 'a DebugLocalVariable',
};

function isOfKind(module: DebugModule, kind: string, operand: number): boolean {
  const definition = module.definitions.get(operand);
  switch (kind) {
    case 'u':
      return module.numbers.has(operand);
    case 's':
      return module.strings.has(operand);
    case 'b':
      return (
        module.numbers.has(operand) ||
        definition?.op === Op.ConstantTrue ||
        definition?.op === Op.ConstantFalse
      );
    case 'i':
      return definition !== undefined;
    case 'v':
      return definition?.op === Op.TypeVoid || isOfKind(module, 't', operand);
    default:
      return kindNames[kind]!.test(module.byId.get(operand)?.name ?? '');
  }
}

function checkSources(module: DebugModule): string[] {
  const problems: string[] = [];
  module.records.forEach((record, i) => {
    if (record.name !== 'DebugSourceContinued') return;
    const before = module.records[i - 1];
    const follows = before?.at === record.at - 1 && /^DebugSource(Continued)?$/.test(before.name);
    if (!follows) problems.push('DebugSourceContinued does not follow a source at once');
  });
  const units = module.all('DebugCompilationUnit').length;
  if (units !== 1) problems.push(`there are ${units} compilation units instead of one`);
  for (const { operands } of module.all('DebugBuildIdentifier'))
    if (!/^[0-9a-f]{32,}$/.test(module.text(operands[0])))
      problems.push('the build identifier is not 32 or more lower-case hexadecimal digits');
  return problems;
}

/** Each OpEntryPoint has its record, and that names the DebugFunction which is defined in the same function. */
function checkEntryPoints(module: DebugModule): string[] {
  const problems: string[] = [];
  const definitions = new Map(
    module.all('DebugFunctionDefinition').map(({ operands }) => [operands[1], operands[0]]),
  );
  const records = new Set(module.all('DebugEntryPoint').map(({ operands }) => operands[0]));
  for (const { op, words } of module.code) {
    if (op !== Op.EntryPoint) continue;
    const own = definitions.get(words[1]);
    if (own === undefined || !records.has(own))
      problems.push('an entry point has no DebugEntryPoint for the function that is defined in it');
  }
  return problems;
}

/** Where source, line and column stand in the operands. */
const placeOperands: Record<string, number> = {
  DebugTypedef: 2,
  DebugTypeEnum: 2,
  DebugTypeComposite: 2,
  DebugTypeMember: 2,
  DebugTypeTemplateParameter: 3,
  DebugGlobalVariable: 2,
  DebugFunctionDeclaration: 2,
  DebugFunction: 2,
  DebugLexicalBlock: 0,
  DebugLocalVariable: 2,
};

function checkPlaces(module: DebugModule): string[] {
  const problems: string[] = [];
  const texts = sourceLines(module);
  for (const record of module.records) {
    const first = placeOperands[record.name];
    if (first === undefined) continue;
    const [source, line, column] = record.operands.slice(first, first + 3);
    const problem = placeProblem(texts.get(source!), module.number(line), module.number(column));
    if (problem) problems.push(`${titleOf(module, record)} ${problem}`);
  }
  for (const { operands } of module.all('DebugLine')) {
    const [startLine, endLine, startColumn, endColumn] = operands.slice(1).map((id) => module.number(id)) as [
      number,
      number,
      number,
      number,
    ];
    const title = `DebugLine ${startLine}:${startColumn} to ${endLine}:${endColumn}`;
    const text = texts.get(operands[0]!);
    if (startLine < 1) problems.push(`${title} starts at no line`);
    if (endLine < startLine || (endLine === startLine && endColumn < startColumn))
      problems.push(`${title} ends before it starts`);
    const problem = placeProblem(text, startLine, startColumn) ?? placeProblem(text, endLine, endColumn);
    if (problem) problems.push(`${title} ${problem}`);
  }
  return problems;
}

const widths = new WeakMap<string[], Map<number, number>>();

/** What is wrong with a place in a text; nothing if there is no text to compare with. Line and column 0 stand for none. */
export function placeProblem(text: string[] | undefined, line: number, column: number): string | undefined {
  // What is no number is a fault of the operand, told there.
  if (!text || Number.isNaN(line)) return undefined;
  if (line > text.length) return `names line ${line} of a text of ${text.length} lines`;
  if (line === 0) return undefined;
  let known = widths.get(text);
  if (!known) {
    known = new Map();
    widths.set(text, known);
  }
  let width = known.get(line);
  if (width === undefined) {
    width = byteLength(text[line - 1]!);
    known.set(line, width);
  }
  return column > width + 1 ? `names column ${column} of line ${line}, which has ${width}` : undefined;
}

function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const c = character.codePointAt(0)!;
    bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function checkTypes(module: DebugModule): string[] {
  const problems: string[] = [];
  const nameOf = (id: number | undefined) => module.byId.get(id!)?.name;
  for (const record of module.records) {
    const title = titleOf(module, record);
    const [first, second] = record.operands;
    if (record.name === 'DebugTypeVector') {
      const count = module.number(second);
      if (nameOf(first) !== 'DebugTypeBasic')
        problems.push(`the component of a ${title} is no DebugTypeBasic`);
      if (count < 1 || count > 4) problems.push(`a ${title} has ${count} components`);
    } else if (record.name === 'DebugTypeMatrix') {
      const count = module.number(second);
      if (nameOf(first) !== 'DebugTypeVector')
        problems.push('the columns of a DebugTypeMatrix are no vectors');
      if (count < 1 || count > 4) problems.push(`a DebugTypeMatrix has ${count} columns`);
    } else if (record.name === 'DebugTypeBasic') {
      const size = module.number(second);
      if (![8, 16, 32, 64].includes(size)) problems.push(`${title} has ${size} bits`);
    } else if (record.name === 'DebugTypeComposite') {
      for (const member of record.operands.slice(9))
        if (nameOf(member) !== 'DebugTypeMember')
          problems.push(`${title} has members that are no data members`);
    } else if (record.name === 'DebugTypeInheritance' || record.name === 'DebugInlinedVariable')
      problems.push(`${title} is refused by validators`);
    else if (record.name === 'DebugExpression') checkExpression(module, record, problems);
  }
  return problems;
}

/** Readers understand an empty expression and one Deref. */
function checkExpression(module: DebugModule, { operands }: ReadRecord, problems: string[]): void {
  const operations = operands.map((id) => module.number(module.byId.get(id)?.operands[0]));
  if (operations.length > 1 || operations.some((operation) => operation !== 0))
    problems.push('a DebugExpression is neither empty nor one Deref, which is all that readers understand');
}
