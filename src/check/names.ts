/** Binding names in scopes, and the messages about names that are taken. */
import type { Identifier } from '../syntax/ast.ts';
import type { Location } from '../source/source-map.ts';
import type { Context } from './context.ts';
import type { Entry, Scope } from './scope.ts';

/** Binds a name; false, after a message, if the scope has it already. */
export function bindName(context: Context, scope: Scope, name: Identifier, entry: Entry): boolean {
  const earlier = scope.names.get(name.text);
  if (earlier && !mayRepeat(earlier, entry)) {
    if (earlier.kind !== entry.kind) reportOtherKind(context, name, placeOf(earlier));
    else reportRedefinition(context, name, placeOf(earlier));
    return false;
  }
  scope.names.set(name.text, entry);
  return true;
}

/** A typedef may be repeated with the same type; a name that another mistake left without a type may be taken. */
function mayRepeat(earlier: Entry, entry: Entry): boolean {
  if (earlier.kind !== 'type') return false;
  if (earlier.type.kind === 'error') return true;
  return entry.kind === 'type' && earlier.type === entry.type;
}

export function reportRedefinition(context: Context, name: Identifier, previous: Location | undefined): void {
  const diagnostic = context.log.report('redefinition', name.at, { name: name.text }, name.end);
  if (previous) context.log.note(diagnostic, 'previous-here', previous, { name: name.text });
}

function reportOtherKind(context: Context, name: Identifier, previous: Location | undefined): void {
  const diagnostic = context.log.report('redefinition-kind', name.at, { name: name.text }, name.end);
  if (previous) context.log.note(diagnostic, 'previous-here', previous, { name: name.text });
}

/** Where what a name stands for was declared; undefined if it has no place. */
export function placeOf(entry: Entry): Location | undefined {
  switch (entry.kind) {
    case 'variable':
      return entry.at;
    case 'functions':
      return entry.overloads[0]?.symbol.nameAt;
    case 'type':
      return entry.at;
    case 'member':
      return entry.struct.members[entry.index]?.location;
    case 'buffer-member':
      return bufferMemberPlace(entry);
    case 'enumerator':
    case 'namespace':
      return undefined;
  }
}

function bufferMemberPlace(entry: Entry & { kind: 'buffer-member' }): Location | undefined {
  const { type } = entry.buffer;
  const contents = type.kind === 'buffer' ? type.element : type;
  return contents.kind === 'struct' ? contents.members[entry.index]?.location : undefined;
}
