/** The AST as text, a line per node: for `-ast-dump` and for tests. */
import type { SourceMap } from '../source/source-map.ts';
import type { QualifiedName, TemplateArg, Unit } from './ast.ts';

type Fields = Record<string, unknown>;

/**
 * Each line is `field: kind 'text' field=value <line:column, line:column>`; children stand below, two columns further
 * in. Absent fields and empty lists are left out. Without a map, so are the places.
 */
export function dump(unit: Unit, map?: SourceMap): string {
  const lines: string[] = [];
  for (const declaration of unit.declarations) dumpNode(lines, '', '', declaration as unknown as Fields, map);
  return lines.map((line) => line + '\n').join('');
}

function dumpNode(
  lines: string[],
  indent: string,
  label: string,
  node: Fields,
  map: SourceMap | undefined,
): void {
  const words: string[] = [];
  const children: [string, Fields][] = [];
  for (const [field, value] of Object.entries(node)) {
    if (field === 'at' || field === 'end' || field === 'opAt' || field === 'kind' || value === undefined)
      continue;
    if (field === 'modifiers') words.push(...(value as { text: string }[]).map((mod) => mod.text));
    else if (Array.isArray(value))
      value.forEach((item, i) => {
        if (isObject(item)) children.push([`${field}[${i}]`, item]);
        else words.push(`${field}[${i}]=${String(item)}`);
      });
    else if (!isObject(value)) words.push(scalar(field, value));
    else if (isName(value)) {
      words.push(`'${nameText(value)}'`);
      for (const qualifier of value.qualifiers) addArguments(children, 'qualifier', qualifier.templateArgs);
    } else if (isIdentifier(value)) words.push(`'${value.text}'`);
    else children.push([field, value]);
  }
  const head = [label && `${label}:`, node['kind'], ...words, place(node, map)].filter(Boolean).join(' ');
  lines.push(indent + head);
  for (const [field, child] of children) dumpNode(lines, indent + '  ', field, child, map);
}

function addArguments(children: [string, Fields][], label: string, args: TemplateArg[] | undefined): void {
  args?.forEach((arg, i) => {
    children.push([`${label}[${i}]`, arg as unknown as Fields]);
  });
}

function scalar(field: string, value: unknown): string {
  if (field === 'op') return `'${String(value)}'`;
  return `${field}=${typeof value === 'string' ? JSON.stringify(value) : String(value)}`;
}

function place(node: Fields, map: SourceMap | undefined): string {
  if (!map || typeof node['at'] !== 'number' || typeof node['end'] !== 'number') return '';
  const from = map.place(node['at']);
  const to = map.place(node['end']);
  return `<${from.line}:${from.column}, ${to.line}:${to.column}>`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isName(value: Fields): value is Fields & QualifiedName {
  return 'qualifiers' in value;
}

/** `{ text, at, end }` and nothing that needs a line of its own. */
function isIdentifier(value: Fields): value is Fields & { text: string } {
  return 'text' in value && !('kind' in value);
}

function nameText(name: QualifiedName): string {
  return (name.global ? '::' : '') + [...name.qualifiers, name.name].map((part) => part.text).join('::');
}
