/** One instruction of the IR as statements, or as an expression that waits to be used. */
import type { Block, Global, Instruction, Value } from '../ir/ir.ts';
import { InternalError } from '../source/diagnostic.ts';
import { elementStride } from '../types/layout.ts';
import type { PointerType, Type } from '../types/type.ts';
import { emitIntrinsic } from './calls.ts';
import {
  assignment,
  atom,
  declare,
  give,
  holdIndices,
  indexText,
  isFixed,
  isName,
  line,
  localName,
  named,
  operand,
  placeFor,
  settle,
  text,
  withFixed,
} from './code.ts';
import type { Expression, FunctionContext, IndexText } from './context.ts';
import { storeOutput } from './entry.ts';
import { expressionOf } from './expressions.ts';
import { isInput } from './interpolants.ts';
import { bare, marked } from './marks.ts';
import { loadText, storeLines, storesAsIs, storesInParts } from './memory.ts';
import { bufferPlace, type Path, pathText, type Place, spaceOf, step } from './places.ts';
import { needArguments } from './requirements.ts';
import { bufferSize, handleSize, isUnsized, isWritable, resourceName } from './resources.ts';
import {
  type CheckedIndex,
  checkIndex,
  clampedIndex,
  guardedLines,
  guardedValue,
  guardsOfWrite,
  namedIndex,
  partCount,
  withGuards,
} from './robust.ts';
import {
  globalOf,
  isSubpass,
  readTexel,
  rememberCoordinate,
  resourceText,
  texelGuards,
  textureOf,
  writeTexel,
} from './textures.ts';
import { typeText } from './types.ts';

export function emitInstruction(f: FunctionContext, instruction: Instruction, block: Block): void {
  if (f.skipped.size > 0 && f.skipped.has(instruction)) return;
  switch (instruction.op) {
    case 'var':
      emitVariable(f, instruction);
      break;
    case 'access':
      emitAccess(f, instruction);
      break;
    case 'buffer_pointer':
      emitBufferPointer(f, instruction);
      break;
    case 'counter_pointer':
      emitCounterPointer(f, instruction);
      break;
    case 'texel':
      if (f.options.metal.robust) emitCheckedTexel(f, instruction);
      else emitTexel(f, instruction);
      break;
    case 'load':
      emitLoad(f, instruction, block);
      break;
    case 'store':
      emitStore(f, instruction);
      break;
    case 'intrinsic':
      emitIntrinsic(f, instruction, block);
      break;
    case 'call':
      emitCall(f, instruction, block);
      break;
    case 'discard':
      settle(f);
      f.mayBeDiscarded = true;
      if (f.discarded !== undefined) line(f, `${f.discarded} = true;`);
      line(f, 'metal::discard_fragment();');
      break;
    default:
      emitExpression(f, instruction, block);
  }
}

function emitExpression(f: FunctionContext, instruction: Instruction, block: Block): void {
  const made = expressionOf(f, instruction);
  if (!made) throw new InternalError(`'${instruction.op}' is not known to the Metal backend`, f.at);
  if (instruction.op === 'insert' || instruction.op === 'insert_dynamic') return;
  give(f, instruction, block, withFixed(made, isFixed(f, instruction)));
}

function emitVariable(f: FunctionContext, instruction: Instruction): void {
  const result = instruction.results[0]!;
  const { pointee } = result.type as PointerType;
  const parameter = f.ownParameters.get(result);
  if (parameter) {
    const name = f.values.get(parameter)!.text;
    const variable = f.variables.get(result);
    if (variable) f.writer.names.set(name, variable);
    f.places.set(result, { type: pointee, space: 'thread', path: [name] });
  } else if (!f.late.has(result)) declareVariable(f, result, undefined);
}

function declareVariable(f: FunctionContext, variable: Value, value: string | undefined): void {
  const { pointee } = variable.type as PointerType;
  const name = localName(f, variable, 'variable');
  line(f, `${typeText(f, pointee)} ${name}${value === undefined ? '' : ` = ${value}`};`, name);
  if (f.late.has(variable)) f.lateNames.set(name, variable);
  f.places.set(variable, { type: pointee, space: 'thread', path: [name] });
}

/** Steps into arrays of resources choose one; other steps go into what lies in memory. */
function emitAccess(f: FunctionContext, instruction: Instruction): void {
  const [base, ...indices] = instruction.operands as [Value, ...Value[]];
  const result = instruction.results[0]!;
  // Only what interpolates them takes parts of inputs.
  if (isInput(base)) return;
  const from = placeFor(f, base);
  let place: Place = from;
  for (const index of indices) {
    if ((base.type as PointerType).space === 'resource') {
      place = resourcePlace(f, place, index, globalOf(base), result);
      continue;
    }
    const { path, guard } = indexInto(f, index, place.type, result);
    const constant = index.kind === 'constant' ? Number(pathText(path)) : undefined;
    const { guards } = place;
    if (place.texel) place = { ...place, component: { of: place.path, index: path } };
    else place = step(f, place, path, constant);
    place = withGuards(place, guards, guard);
  }
  holdIndices(place.path, result);
  if (place.row) holdIndices(place.row.index, result);
  f.places.set(result, place);
}

function indexInto(f: FunctionContext, index: Value, type: Type, holder: Value): CheckedIndex {
  const count = partCount(type);
  if (f.options.metal.robust && count !== undefined) return checkIndex(f, index, count);
  return { path: index.kind === 'constant' ? [String(Number(index.value))] : [indexText(f, index, holder)] };
}

/** A resource of an array. Metal's arrays of resources have one dimension. */
function resourcePlace(f: FunctionContext, from: Place, index: Value, global: Global, holder: Value): Place {
  const { type } = from;
  if (type.kind !== 'array') throw new InternalError('an index into a single resource', f.at);
  const limit = type.size || `${f.sizes.get(global)} / ${handleSize(global)}u`;
  const own = f.options.metal.robust ? clampedIndex(f, index, limit) : indexInto(f, index, type, holder).path;
  const chosen = from.chosen ? [...inBrackets(from.chosen), ` * ${type.size} + `, ...inBrackets(own)] : own;
  const path = [resourceName(f, global), '[', ...chosen, isUnsized(global) ? '].e' : ']'];
  return { ...from, type: type.element, chosen, path };
}

function inBrackets(path: Path): Path {
  return /^[\w.]+$/.test(bare(pathText(path))) ? path : ['(', ...path, ')'];
}

function emitBufferPointer(f: FunctionContext, instruction: Instruction): void {
  const [buffer, index] = instruction.operands as [Value, Value?];
  const result = instruction.results[0]!;
  const resource = placeFor(f, buffer);
  const type = result.type as PointerType;
  const of = (buffer.type as PointerType).pointee;
  const space = spaceOf(type, isWritable(of));
  // Blocks in arrays are pointers.
  const path = !index && buffer.kind !== 'global' ? ['(*', ...resource.path, ')'] : resource.path;
  if (index && f.options.metal.robust) {
    const stride = elementStride(type.pointee, type.layout!, type.matrixOrder, f.module.enable16BitTypes);
    const checked = checkIndex(f, index, `${bufferSize(f, buffer)} / ${stride}u`);
    const place = bufferPlace(f, type, space, path, checked.path);
    f.places.set(result, withGuards(place, undefined, checked.guard));
    return;
  }
  const place = bufferPlace(f, type, space, path, index && pathOf(f, index, result));
  holdIndices(place.path, result);
  f.places.set(result, place);
}

function pathOf(f: FunctionContext, index: Value, holder: Value) {
  return index.kind === 'constant' ? [text(f, index)] : [indexText(f, index, holder)];
}

function emitCounterPointer(f: FunctionContext, instruction: Instruction): void {
  const result = instruction.results[0]!;
  const type = result.type as PointerType;
  const buffer = instruction.operands[0]!;
  const name = buffer.kind === 'global' ? f.counters.get(buffer) : undefined;
  if (name === undefined) throw new InternalError('a buffer without counter', f.at);
  f.left.set(buffer, (f.left.get(buffer) ?? 1) - 1);
  f.places.set(result, bufferPlace(f, type, 'device', [name], undefined));
}

function emitTexel(f: FunctionContext, instruction: Instruction): void {
  const [resource, coordinate, level] = instruction.operands as [Value, Value, Value?];
  const result = instruction.results[0]!;
  const texture = textureOf(resource);
  const at = isSubpass(texture) ? pixelIndex(f, result) : indexText(f, coordinate, result);
  const place: Place = {
    type: (result.type as PointerType).pointee,
    space: 'thread',
    path: [at],
    texel: { texture, resource, coordinate: at },
  };
  if (level) {
    const made = indexText(f, level, result);
    place.texel!.level = made;
    place.path = [at, made];
  }
  rememberCoordinate(place, coordinate.type);
  f.places.set(result, place);
}

/** The pixel itself, which subpass inputs are read at. */
function pixelIndex(f: FunctionContext, holder: Value): IndexText {
  return { text: `metal::int2(${f.builtins.get('position')}.xy)`, fixed: false, holders: [holder] };
}

/** Its coordinates have names, for they stand in the condition too. */
function emitCheckedTexel(f: FunctionContext, instruction: Instruction): void {
  const [resource, coordinate, level] = instruction.operands as [Value, Value, Value?];
  const result = instruction.results[0]!;
  const texture = textureOf(resource);
  const given = isSubpass(texture) ? pixelIndex(f, result).text : namedIndex(f, coordinate);
  const at = isName(given) ? given : declare(f, typeText(f, coordinate.type), given, 'index');
  const asIndex = (text: string): IndexText => ({ text, fixed: false, holders: [result] });
  const place: Place = {
    type: (result.type as PointerType).pointee,
    space: 'thread',
    path: [asIndex(at)],
    texel: {
      texture,
      resource,
      coordinate: asIndex(at),
      ...(level && { level: asIndex(namedIndex(f, level)) }),
    },
  };
  rememberCoordinate(place, coordinate.type);
  f.places.set(result, { ...place, guards: texelGuards(f, place) });
}

function emitLoad(f: FunctionContext, instruction: Instruction, block: Block): void {
  const pointer = instruction.operands[0]!;
  const input = pointer.kind === 'global' ? f.inputs.get(pointer) : undefined;
  if (input) {
    if (isName(input.text)) keepName(f, instruction, block, input);
    else give(f, instruction, block, withFixed(input, false));
    return;
  }
  const place = placeFor(f, pointer);
  if (place.texel) {
    const whole = readTexel(f, place);
    const part = place.component ? `${whole}[${pathText(place.component.index)}]` : whole;
    giveLoaded(f, instruction, block, place, part);
  } else giveLoaded(f, instruction, block, place, loadText(f, place));
}

/** A name that means the same throughout the function needs no other, unless the source has one. */
function keepName(f: FunctionContext, instruction: Instruction, block: Block, made: Expression): void {
  const result = instruction.results[0]!;
  if (f.variables.has(result)) give(f, instruction, block, made);
  else f.values.set(result, f.marks ? { ...made, text: marked(f.position, made.text) } : made);
}

/** A member of a constant buffer that no local chooses. */
function isConstantPlace(text: string): boolean {
  return /^(metal::transpose\()?[A-Za-z_]\w*(\.\w+|\[\d+u?\])*\)?$/.test(bare(text));
}

function giveLoaded(
  f: FunctionContext,
  instruction: Instruction,
  block: Block,
  { guards, space }: Place,
  value: string,
): void {
  const made = guardedValue(f, guards, value, instruction.results[0]!.type);
  const loaded = withFixed(made, isFixed(f, instruction));
  if (space === 'constant' && !loaded.fixed && isConstantPlace(loaded.text))
    keepName(f, instruction, block, loaded);
  else give(f, instruction, block, loaded);
}

function emitStore(f: FunctionContext, instruction: Instruction): void {
  const [pointer, value] = instruction.operands as [Value, Value];
  if (pointer.kind === 'global' && pointer.role.kind === 'output') {
    storeOutput(f, pointer, value);
    return;
  }
  if (f.late.get(pointer) === instruction) {
    const initial = value.kind === 'undef' ? undefined : text(f, value);
    settle(f);
    declareVariable(f, pointer, initial);
    placeFor(f, pointer);
    return;
  }
  const place = placeFor(f, pointer);
  if (place.texel) {
    emitTexelStore(f, place, value, guardsOfWrite(f, pointer, place));
    return;
  }
  if (value.kind === 'undef') return;
  if (storesInParts(place)) {
    const written = named(f, value);
    settle(f);
    guardedLines(f, guardsOfWrite(f, pointer, place), storeLines(f, place, written));
    return;
  }
  const written = operand(f, value);
  settle(f);
  const lines = storesAsIs(place)
    ? [`${assignment(pathText(place.path), written)};`]
    : storeLines(f, place, written.text);
  guardedLines(f, guardsOfWrite(f, pointer, place), lines);
}

/** A part of a texel is written through the whole. */
function emitTexelStore(f: FunctionContext, place: Place, value: Value, guards: Place['guards']): void {
  if (!place.component) {
    const written = text(f, value);
    settle(f);
    guardedLines(f, guards, writeAndFence(f, place, written, value.type));
    return;
  }
  const whole = readTexel(f, place);
  const written = text(f, value);
  settle(f);
  const { element } = place.texel!.texture;
  const name = f.locals.unique('texel');
  guardedLines(f, guards, [
    `${typeText(f, element)} ${name} = ${whole};`,
    `${name}[${pathText(place.component.index)}] = ${written};`,
    ...writeAndFence(f, place, name, element),
  ]);
}

/** Of a texture that is read too, a thread sees its own writes only behind a fence. */
function writeAndFence(f: FunctionContext, place: Place, written: string, type: Type): string[] {
  const { resource } = place.texel!;
  const isRead = f.textures.get(globalOf(resource))?.read ?? false;
  const write = writeTexel(f, place, written, type);
  return isRead ? [write, `${resourceText(f, resource)}.fence();`] : [write];
}

function emitCall(f: FunctionContext, instruction: Instruction, block: Block): void {
  const callee = instruction.callee!;
  const after: (() => void)[] = [];
  const args = instruction.operands.map((value) => {
    if (value.type.kind !== 'pointer') return text(f, value);
    const place = placeFor(f, value);
    const own = pathText(place.path);
    if (!place.component && !place.guards) return own;
    // A reference cannot be to a component, nor to what may not be there.
    const name = f.locals.unique('argument');
    line(f, `${typeText(f, place.type)} ${name} = ${guardedValue(f, place.guards, own, place.type).text};`);
    after.push(() => guardedLines(f, place.guards, [`${own} = ${name};`]));
    return name;
  });
  args.push(...needArguments(f, callee));
  f.mayBeDiscarded ||= f.needs.get(callee)?.some(({ kind }) => kind === 'discarded') ?? false;
  const made = atom(`${f.functions.get(callee)}(${args.join(', ')})`);
  if (instruction.results.length === 0) {
    settle(f);
    line(f, `${made.text};`);
  } else {
    const isUnused = (f.left.get(instruction.results[0]!) ?? 0) === 0;
    const changes = isUnused || !f.withoutEffects.has(callee);
    give(f, instruction, block, { ...made, fixed: true }, changes);
  }
  for (const one of after) one();
}
