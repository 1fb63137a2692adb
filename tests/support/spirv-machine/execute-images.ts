/** Image instructions as they stand in a module. */
import type { ReadInstruction } from '../../../src/spirv/debug-reader.ts';
import { Op } from '../../../src/spirv/enums.ts';
import { implicitLod } from '../interpreter/textures.ts';
import type { Running } from '../interpreter/thread.ts';
import { asNumber, type Datum, fail } from '../interpreter/value.ts';
import type { SamplerResource } from '../resources.ts';
import type { Frame } from './execute.ts';
import {
  gather,
  type Image,
  imageOf,
  querySize,
  readImageOperands,
  sample,
  texelOf,
  writeImage,
} from './images.ts';
import { load, type Place, typeOf } from './memory.ts';
import type { Id } from './program.ts';

/** False if it is none. */
export function* runImage(frame: Frame, instruction: ReadInstruction): Running<boolean> {
  const { op, words: w } = instruction;
  switch (op) {
    case Op.SampledImage: {
      const sampler = frame.place(w[3]!);
      if (sampler.at !== 'handle') return fail('a sampler that is none');
      frame.registers.set(w[1]!, {
        ...(frame.place(w[2]!) as Place & { at: 'handle' }),
        sampler: sampler.resource as SamplerResource,
      });
      return true;
    }
    case Op.Image:
      frame.registers.set(w[1]!, frame.place(w[2]!));
      return true;
    case Op.ImageTexelPointer: {
      const type = frame.machine.program.debug.definitions.get(w[0]!)!.words[2]!;
      const texel = texelOf(
        image(frame, w[2]!),
        frame.value(w[3]!),
        new Map(),
        typeOf(frame.machine.program, type),
      );
      frame.registers.set(w[1]!, { at: 'texel', texel });
      return true;
    }
    case Op.ImageWrite:
      if (!frame.thread.demoted) writeImage(image(frame, w[0]!), frame.value(w[1]!), frame.value(w[2]!));
      return true;
    default: {
      const value = yield* read(frame, instruction);
      if (value === undefined) return false;
      frame.registers.set(w[1]!, value);
      return true;
    }
  }
}

/** The image behind an id: a loaded image, an image with a sampler, or a pointer to either. */
function image(frame: Frame, id: Id): Image {
  const { definitions } = frame.machine.program.debug;
  let place = frame.place(id);
  if (place.at !== 'handle') place = load(frame.machine.program, place) as Place;
  if (place.at !== 'handle') return fail('an image that is none');
  let type = definitions.get(definitions.get(id)!.type!)!;
  if (type.op === Op.TypePointer) type = definitions.get(type.words[2]!)!;
  if (type.op === Op.TypeSampledImage) type = definitions.get(type.words[1]!)!;
  return imageOf([...type.words.subarray(1)], place.resource, place.sampler);
}

function* read(frame: Frame, { op, words: w, at }: ReadInstruction): Running<Datum | undefined> {
  const { program } = frame.machine;
  const value = (id: Id): Datum => frame.value(id);
  const operands = (from: number) => readImageOperands([...w.subarray(from)], value);
  const result = () => typeOf(program, w[0]!);
  switch (op) {
    case Op.ImageSampleImplicitLod:
    case Op.ImageSampleExplicitLod:
    case Op.ImageSampleDrefImplicitLod:
    case Op.ImageSampleDrefExplicitLod: {
      const compares = op === Op.ImageSampleDrefImplicitLod || op === Op.ImageSampleDrefExplicitLod;
      const compare = compares ? value(w[4]!) : undefined;
      frame.thread.path.splice(0, frame.thread.path.length, ...frame.path(at));
      return yield* sample(
        op,
        image(frame, w[2]!),
        value(w[3]!),
        compare,
        operands(compares ? 5 : 4),
        result(),
        (of, place) => implicitLod(of, place, frame.thread),
      );
    }
    case Op.ImageGather:
      return gather(
        image(frame, w[2]!),
        value(w[3]!),
        asNumber(value(w[4]!)),
        undefined,
        operands(5),
        result(),
      );
    case Op.ImageDrefGather:
      return gather(image(frame, w[2]!), value(w[3]!), 0, value(w[4]!), operands(5), result());
    case Op.ImageFetch:
    case Op.ImageRead: {
      const texel = texelOf(image(frame, w[2]!), value(w[3]!), operands(4), result());
      return load(program, { at: 'texel', texel }) as Datum;
    }
    case Op.ImageQuerySize:
      return querySize(image(frame, w[2]!), 0, result());
    case Op.ImageQuerySizeLod:
      return querySize(image(frame, w[2]!), asNumber(value(w[3]!)), result());
    case Op.ImageQueryLevels: {
      const { resource } = image(frame, w[2]!);
      return resource.kind === 'image' ? resource.mips : 1;
    }
    case Op.ImageQuerySamples:
      return 1;
    default:
      return undefined;
  }
}
