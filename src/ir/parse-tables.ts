/** Tables of scopes, globals and debug variables in the IR's text form. */
import type { Scope } from '../source/position.ts';
import type {
  DebugVariable,
  FunctionSignature,
  Global,
  GlobalRole,
  InterfaceVariable,
  ResourceBinding,
  StructType,
} from './ir.ts';
import { type ReadState, readAtPlace, readPlace, readRange } from './parse-state.ts';
import { readAttributes, readType } from './parse-types.ts';
import { readConstant } from './parse-values.ts';

export function readScope(s: ReadState): void {
  const label = s.tokens.name();
  const kind = s.tokens.word('kind of scope', ['unit', 'namespace', 'function', 'block'] as const);
  const scope: Scope = kind === 'unit' ? s.module.unit : { kind, location: 0 };
  if (s.tokens.token.kind === 'string') scope.name = s.tokens.take().text;
  if (s.tokens.accept('in')) scope.parent = scopeNamed(s);
  else if (kind !== 'unit') scope.parent = s.module.unit;
  scope.location = readAtPlace(s);
  if (s.tokens.accept('body')) scope.bodyLocation = readPlace(s);
  if (s.tokens.accept('returns')) {
    const signature: FunctionSignature = { returnType: readType(s) };
    if (s.tokens.accept('of')) signature.owner = readType(s) as StructType;
    s.module.signatures ??= new Map();
    s.module.signatures.set(scope, signature);
  }
  s.scopes.set(label, scope);
}

export function scopeNamed(s: ReadState): Scope {
  const token = s.tokens.token;
  return s.scopes.get(s.tokens.name()) ?? s.tokens.fail(`unknown scope '${token.text}'`, token);
}

export function readGlobal(s: ReadState): void {
  const label = s.tokens.kind('global').text;
  s.tokens.expect(':');
  const type = readType(s);
  const name = s.tokens.accept('named') ? s.tokens.name() : label;
  const global: Global = { kind: 'global', name, type, role: readRole(s), location: 0 };
  if (s.tokens.accept('=')) global.init = readConstant(s);
  global.location = readAtPlace(s);
  if (s.tokens.accept('debug')) {
    const debugName = s.tokens.name();
    s.tokens.expect(':');
    const debugType = readType(s);
    s.tokens.expect('in');
    global.debug = {
      name: debugName,
      type: debugType,
      scope: scopeNamed(s),
      location: readAtPlace(s),
    };
  }
  s.globals.set(label, global);
  s.module.globals.push(global);
}

function readRole(s: ReadState): GlobalRole {
  const kinds = [
    'private',
    'workgroup',
    'push-constant',
    'spec-constant',
    'resource',
    'input',
    'output',
  ] as const;
  const kind = s.tokens.word('role', kinds);
  switch (kind) {
    case 'spec-constant':
      return { kind, id: s.tokens.number() };
    case 'resource': {
      const binding = readBinding(s);
      const coherent = s.tokens.accept('coherent');
      return { kind, binding, coherent, attributes: s.tokens.accept('attributes') ? readAttributes(s) : [] };
    }
    case 'input':
    case 'output':
      return { kind, variable: readInterface(s) };
    default:
      return { kind };
  }
}

function readBinding(s: ReadState): ResourceBinding {
  s.tokens.expect('set');
  const set = s.tokens.number();
  s.tokens.expect('binding');
  const binding: ResourceBinding = { set, binding: s.tokens.number() };
  if (s.tokens.accept('register')) {
    const registerClass = s.tokens.word('register class', ['b', 't', 's', 'u'] as const);
    binding.register = { class: registerClass, number: s.tokens.number(), space: s.tokens.number() };
  }
  if (s.tokens.accept('counter')) binding.counter = { set: s.tokens.number(), binding: s.tokens.number() };
  if (s.tokens.accept('input_attachment')) binding.inputAttachmentIndex = s.tokens.number();
  return binding;
}

function readInterface(s: ReadState): InterfaceVariable {
  const name = s.tokens.name();
  s.tokens.expect(':');
  const type = readType(s);
  s.tokens.expect('semantic');
  const semantic = { name: s.tokens.name(), index: s.tokens.number() };
  const interpolation: InterfaceVariable['interpolation'][number][] = [];
  const variable: InterfaceVariable = {
    name,
    type,
    semantic,
    interpolation,
    precise: false,
    at: 0,
    end: 0,
  };
  for (;;) {
    if (s.tokens.accept('builtin')) variable.builtin = s.tokens.name();
    else if (s.tokens.accept('location')) variable.location = s.tokens.number();
    else if (s.tokens.accept('index')) variable.index = s.tokens.number();
    else if (s.tokens.accept('precise')) variable.precise = true;
    else if (s.tokens.accept('place')) Object.assign(variable, readRange(s));
    else if (s.tokens.accept('interpolation')) {
      const modes = ['nointerpolation', 'noperspective', 'centroid', 'sample', 'pervertex'] as const;
      while (modes.some((mode) => s.tokens.is(mode)))
        interpolation.push(s.tokens.word('interpolation', modes));
    } else return variable;
  }
}

export function readDebugVariable(s: ReadState): void {
  const label = s.tokens.kind('variable').text;
  const name = s.tokens.name();
  s.tokens.expect(':');
  const type = readType(s);
  s.tokens.expect('in');
  const scope = scopeNamed(s);
  const range = s.tokens.accept('at') ? readRange(s) : { at: 0, end: 0 };
  const variable: DebugVariable = { name, type, location: range.at, end: range.end, scope };
  if (s.tokens.accept('argument')) variable.argument = s.tokens.number();
  if (s.tokens.accept('this')) variable.isThis = true;
  s.variables.set(label, variable);
  s.module.debugVariables.push(variable);
}
