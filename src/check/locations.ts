/** Location numbers of a stage's inputs and outputs, as DXC gives them, and the checks that go with them. */
import { scalarBits, type ScalarType, type Type } from '../types/type.ts';
import type { Context } from './context.ts';
import type { StageVariable } from './interface.ts';
import type { Direction } from './semantics.ts';

/** Numbers all variables of one direction that need a location. */
export function assignLocations(context: Context, all: readonly StageVariable[], direction: Direction): void {
  const variables = all.filter((variable) => variable.direction === direction);
  checkDuplicates(context, variables, direction);
  const located = variables.filter((variable) => variable.kind !== 'builtin');
  const explicit = located.filter((variable) => variable.explicitLocation !== undefined);
  if (explicit.length === located.length) {
    takeExplicit(context, located, direction);
    return;
  }
  const first = explicit[0];
  if (first) {
    context.log.report('location-partial', first.variable.at, { name: first.text, direction });
    return;
  }
  const used = new Set<number>();
  // Colour outputs have the location that their index says; the others take what is left.
  for (const { variable, text } of located.filter((candidate) => candidate.kind === 'target')) {
    variable.location = variable.semantic.index;
    const args = { location: variable.location, semantic: text, direction };
    if (used.has(variable.location)) context.log.report('location-duplicate', variable.at, args);
    used.add(variable.location);
  }
  const rest = located.filter((candidate) => candidate.kind === 'user');
  if (context.options.stageIoOrder === 'alphabetic')
    rest.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  for (const { variable } of rest) variable.location = takeNext(used, locationCount(variable.type));
}

function takeExplicit(context: Context, variables: readonly StageVariable[], direction: Direction): void {
  const used = new Map<string, StageVariable>();
  for (const candidate of variables) {
    const { variable, explicitLocation = 0 } = candidate;
    variable.location = explicitLocation;
    for (let i = 0; i < locationCount(variable.type); i++) {
      const location = explicitLocation + i;
      const key = `${location}/${variable.index ?? 0}`;
      const args = { location, semantic: candidate.text, direction };
      if (used.has(key)) context.log.report('location-duplicate', variable.at, args);
      used.set(key, candidate);
    }
  }
}

function takeNext(used: Set<number>, count: number): number {
  let start = 0;
  for (let i = 0; i < count; i++) {
    if (used.has(start + i)) {
      start += i + 1;
      i = -1;
    }
  }
  for (let i = 0; i < count; i++) used.add(start + i);
  return start;
}

/** Rows of a matrix and elements of an array take locations of their own; three and four doubles take two. */
function locationCount(type: Type): number {
  switch (type.kind) {
    case 'array':
      return type.size * locationCount(type.element);
    case 'matrix':
      return type.rows * vectorLocations(type.element, type.columns);
    case 'vector':
      return vectorLocations(type.element, type.count);
    default:
      return 1;
  }
}

function vectorLocations(element: ScalarType, count: number): number {
  return scalarBits(element, true) === 64 && count > 2 ? 2 : 1;
}

function checkDuplicates(context: Context, variables: readonly StageVariable[], direction: Direction): void {
  const seen = new Set<string>();
  for (const { variable, text } of variables) {
    if (seen.has(text)) context.log.report('semantic-duplicate', variable.at, { direction, semantic: text });
    seen.add(text);
  }
}
