/** Calls of every overload of the intrinsic table, made from the signatures. */
import type { CallArgument, Intrinsic, Match } from '../../src/intrinsics/intrinsic.ts';
import { type Signature, signatureOf, type TypeReference } from '../../src/intrinsics/notation.ts';
import { matchIntrinsic } from '../../src/intrinsics/signature.ts';
import {
  array,
  type BufferKind,
  buffer,
  floatType,
  literalFloat,
  literalInt,
  matrix,
  type StructType,
  sampler,
  scalar,
  type TextureType,
  type Type,
  texture,
  uintType,
  vector,
} from '../../src/types/type.ts';

/** An element of structured buffers. */
export const particle: StructType = {
  kind: 'struct',
  name: 'Particle',
  keyword: 'struct',
  location: 1,
  members: [
    { name: 'position', type: vector(floatType, 3), location: 1, modifiers: [], attributes: [] },
    { name: 'alive', type: scalar('bool'), location: 1, modifiers: [], attributes: [] },
    {
      name: 'frame',
      type: matrix(floatType, 2, 3),
      location: 1,
      modifiers: [],
      attributes: [],
      matrixOrder: 'row_major',
    },
    {
      name: 'ids',
      type: array(vector(scalar('uint64_t'), 2), 2),
      location: 1,
      modifiers: [],
      attributes: [],
    },
    { name: 'weights', type: vector(scalar('half'), 3), location: 1, modifiers: [], attributes: [] },
  ],
};

/** The object type that a row's list of objects names. */
export function objectNamed(name: string): Type {
  const base = name.replace(/^RW|^RasterizerOrdered/, '');
  if (name.includes('ByteAddress')) return buffer(name as BufferKind, uintType);
  if (name.includes('Structured')) return buffer(name as BufferKind, particle);
  const dimension = /1D|2D|3D|Cube|Subpass/.exec(base.replace('CUBE', 'Cube'))?.[0] ?? 'Buffer';
  return texture({
    dimension: dimension as TextureType['dimension'],
    arrayed: base.includes('Array'),
    multisampled: base.includes('MS'),
    writable: name !== base,
    rasterizerOrdered: name.startsWith('Raster'),
    element: vector(floatType, 4),
    name,
  });
}

/** What a variable may be: every element of its class in a few shapes. */
function* choices(signature: Signature): Generator<Map<string, Type>> {
  const names = [...signature.variables.keys()];
  if (names.length === 0) yield new Map();
  for (const name of names) {
    const { elements, shape } = signature.variables.get(name)!;
    for (const word of elements) {
      if (word.startsWith('literal')) continue;
      const element = scalar(word);
      const types =
        shape === 'scalar'
          ? [element]
          : shape === 'vector'
            ? [element, vector(element, 1), vector(element, 3)]
            : shape === 'square'
              ? [matrix(element, 1, 1), matrix(element, 3, 3)]
              : shape === 'matrix'
                ? [matrix(element, 2, 3), matrix(element, 1, 4)]
                : typeof shape === 'number'
                  ? [vector(element, shape)]
                  : [
                      element,
                      vector(element, 1),
                      vector(element, 4),
                      matrix(element, 2, 3),
                      matrix(element, 3, 1),
                    ];
      for (const type of types) yield new Map([[name, type]]);
    }
  }
}

const sizes = { R: 2, C: 3, K: 4 };

function argumentType(reference: TypeReference, chosen: Map<string, Type>): Type {
  const elementOfChosen = (name: string) => {
    const type = chosen.get(name)!;
    return type.kind === 'vector' || type.kind === 'matrix'
      ? type.element
      : type.kind === 'scalar'
        ? type
        : floatType;
  };
  switch (reference.kind) {
    case 'fixed':
      return reference.type;
    case 'sampler':
      return sampler(reference.comparison ?? false);
    case 'template':
      return particle;
    case 'object':
      // A literal splats to whatever is needed.
      return reference.word === 'element'
        ? particle
        : reference.word === 'location' || reference.word === 'direction'
          ? literalFloat
          : literalInt;
    case 'sized': {
      const element = elementOfChosen(reference.element);
      const size = (name: string) => sizes[name as keyof typeof sizes];
      return reference.rows
        ? matrix(element, size(reference.rows), size(reference.columns))
        : vector(element, size(reference.columns));
    }
    case 'variable':
      if (reference.part === 'scalar') return elementOfChosen(reference.name);
      if (typeof reference.part === 'object') {
        const type = chosen.get(reference.name)!;
        return type.kind === 'vector'
          ? vector(reference.part, type.count)
          : type.kind === 'matrix'
            ? matrix(reference.part, type.rows, type.columns)
            : reference.part;
      }
      return chosen.get(reference.name)!;
  }
}

export interface Call {
  row: Intrinsic;
  overload: number;
  object: Type | undefined;
  match: Match;
  /** Literals where the table takes them. */
  args: readonly CallArgument[];
}

/** A call for every overload, count of arguments and kind of type; a text where none fits. */
export function* calls(row: Intrinsic, wide: boolean): Generator<Call | string> {
  for (const objectName of row.objects ?? [undefined]) {
    const object = objectName === undefined ? undefined : objectNamed(objectName);
    for (const [overload, text] of row.overloads.entries()) {
      const signature = signatureOf(text);
      const hasOffset = !/cube/i.test(objectName ?? '');
      const parameters = signature.parameters.filter(
        (p) => hasOffset || p.type.kind !== 'object' || p.type.word !== 'offset',
      );
      const least = parameters.filter((p) => !p.optional).length;
      for (const chosen of choices(signature)) {
        for (let count = least; count <= parameters.length; count++) {
          const args = parameters
            .slice(0, count)
            .map((p): CallArgument => ({ type: argumentType(p.type, chosen), lvalue: true }));
          const environment = {
            enable16BitTypes: wide,
            ...(object && { objectType: object }),
            ...(text.includes('template') && { templateArgs: [particle] }),
          };
          const found = matchIntrinsic([row], args, environment);
          if ('failure' in found) yield found.failure;
          else yield { row, overload, object, match: found.match, args };
        }
      }
    }
  }
}
