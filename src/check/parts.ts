/** The parts of a typed expression, for walks over the typed program. */
import type { TypedExpression } from './program.ts';

/** The expressions directly inside one, in order of the source. */
export function partsOf(expression: TypedExpression): readonly TypedExpression[] {
  switch (expression.kind) {
    case 'constant':
    case 'variable':
    case 'this':
      return [];
    case 'member':
    case 'swizzle':
    case 'matrix-swizzle':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'buffer-element':
      return expression.index ? [expression.object, expression.index] : [expression.object];
    case 'texel': {
      const { object, coordinate, level } = expression;
      return level ? [object, coordinate, level] : [object, coordinate];
    }
    case 'convert':
    case 'unary':
      return [expression.operand];
    case 'construct':
      return expression.args;
    case 'flatten':
      return expression.sources;
    case 'fill':
      return [expression.value];
    case 'binary':
    case 'logical':
    case 'comma':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'assign':
    case 'compound-assign':
      return [expression.target, expression.value];
    case 'increment':
      return [expression.target];
    case 'call': {
      const args = expression.args.map((arg) => arg.value);
      return expression.self ? [expression.self, ...args] : args;
    }
    case 'intrinsic':
      return expression.args.map((arg) => arg.value);
  }
}
