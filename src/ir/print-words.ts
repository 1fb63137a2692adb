/** Words of the IR's text form: labels, names, numbers. */
import { type ScalarType, scalarClass, type Type } from '../types/type.ts';
import type { ResourceBinding, ScalarValue } from './ir.ts';

/** Gives things labels that are unique among those given before. */
export class Labels<T> {
  readonly #labels = new Map<T, string>();
  readonly #taken = new Set<string>();
  /** By wanted label: the number to try next. */
  readonly #next = new Map<string, number>();

  of(thing: T, wanted: () => string): string {
    let label = this.#labels.get(thing);
    if (label === undefined) {
      const base = wanted();
      label = base;
      let n = this.#next.get(base) ?? 2;
      while (this.#taken.has(label)) label = `${base}.${n++}`;
      if (n > 2) this.#next.set(base, n);
      this.#taken.add(label);
      this.#labels.set(thing, label);
    }
    return label;
  }
  get things(): IterableIterator<T> {
    return this.#labels.keys();
  }
}

export function bindingText({
  set,
  binding,
  register,
  counter,
  inputAttachmentIndex,
}: ResourceBinding): string {
  const parts = [`set ${set} binding ${binding}`];
  if (register) parts.push(`register ${register.class} ${register.number} ${register.space}`);
  if (counter) parts.push(`counter ${counter.set} ${counter.binding}`);
  if (inputAttachmentIndex !== undefined) parts.push(`input_attachment ${inputAttachmentIndex}`);
  return parts.join(' ');
}

export function scalarText(value: ScalarValue, type: Type): string {
  if (typeof value !== 'number' || type.kind !== 'scalar' || scalarClass(type) !== 'float')
    return String(value);
  return floatText(value, type);
}

/** The shortest decimal that reads back as the same float. */
function floatText(value: number, type: ScalarType): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  let text = String(value);
  if (type.name !== 'double' && Math.fround(value) === value) {
    for (let digits = 1; digits <= 9; digits++) {
      const shorter = String(Number(value.toPrecision(digits)));
      if (Math.fround(Number(shorter)) === value) {
        text = shorter;
        break;
      }
    }
  }
  if (Object.is(value, -0)) text = '-0';
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** What may stand after `%`, `@` or `$`. */
export function sigilName(name: string): string {
  return name.replace(/[^\w.]/g, '_');
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
export function unquote(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
export function quoteUnlessWord(text: string): string {
  return /^[A-Za-z_][\w.]*$/.test(text) ? text : quote(text);
}
/** For file names. */
export function quoteUnlessPlain(text: string): string {
  return /^[A-Za-z_.](?:[\w./]|-(?=[A-Za-z]))*$/.test(text) ? text : quote(text);
}
