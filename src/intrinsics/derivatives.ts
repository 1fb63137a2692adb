/**
 * Derivatives across the quad.
 *
 * The rows stand in alphabetical order.
 */
import type { Stage } from '../ir/ir.ts';
import { floatType, type MatrixType, withElement } from '../types/type.ts';
import { bitsOf, call, elementType } from './expansion.ts';
import { type Intrinsic, keep, op } from './intrinsic.ts';

/** Where quads exist: compute and its kin from shader model 6.6 on. */
export const quadStages: readonly Stage[] = ['pixel', 'compute', 'mesh', 'amplification', 'library'];

function derivative(name: string, spelled: string): Intrinsic {
  const capability = name.includes('_') ? 'DerivativeControl' : undefined;
  return {
    key: name,
    name,
    overloads: [`T ${name}(T x) where T: floatlike`],
    effects: 'derivative',
    spirv: op(spelled, capability),
    expand: (builder, args) => {
      const x = args[0]!;
      // SPIR-V derives 32-bit floats only.
      if (bitsOf(builder, x) === 32) return keep;
      const wide = call(
        builder,
        name,
        withElement(x.type as MatrixType, floatType),
        builder.convert(x, floatType),
      );
      return builder.convert(wide, elementType(x));
    },
    stages: quadStages,
  };
}

export const derivativeRows: readonly Intrinsic[] = [
  derivative('ddx', 'OpDPdx'),
  derivative('ddx_coarse', 'OpDPdxCoarse'),
  derivative('ddx_fine', 'OpDPdxFine'),
  derivative('ddy', 'OpDPdy'),
  derivative('ddy_coarse', 'OpDPdyCoarse'),
  derivative('ddy_fine', 'OpDPdyFine'),
  derivative('fwidth', 'OpFwidth'),
];
