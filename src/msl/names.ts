/** Identifiers of the Metal text: unique, none reserved, and the same with and without debug information. */

const reserved = new Set(
  (
    'alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const constexpr ' +
    'const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto ' +
    'if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register ' +
    'reinterpret_cast return short signed sizeof static static_assert static_cast struct switch template this thread_local throw ' +
    'true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq kernel vertex fragment ' +
    'device constant thread threadgroup threadgroup_imageblock ray_data object_data metal half uint ushort uchar ulong bfloat ' +
    'texture sampler main assert size_t ptrdiff_t INFINITY NAN HUGE_VALF MAXFLOAT NULL mesh object intersection visible patch ' +
    'complex imaginary _Bool restrict quad simd atomic_int atomic_uint atomic_bool atomic_float atomic_ulong int8_t int16_t int32_t int64_t ' +
    'uint8_t uint16_t uint32_t uint64_t access coherent array vec matrix packed'
  ).split(' '),
);
/** Names of vector, matrix and texture types, which are macros or global types with some compilers. */
const typeLike =
  /^(packed_)?(bool|u?char|u?short|u?int|u?long|half|float|double|bfloat)[1-4](x[1-4])?$|^(texture|depth)(1d|2d|3d|cube|_buffer)|^M_\w+_[FH]$|^(FLT|HALF|INT|UINT|SHRT|LONG|CHAR)_/;

export class Names {
  readonly #parent: Names | undefined;
  readonly #renamed: Map<string, string> | undefined;
  readonly #taken = new Map<string, number>();
  /** What was known of names before they were taken, in order. */
  readonly #log: { name: string; before: number | undefined }[] = [];
  /** Names in the scopes within, which a name that comes later would be hidden by. */
  readonly #within = new Set<string>();

  /** `renamed` is told which names of the source Metal reserves, and what they became first. */
  constructor(parent?: Names, renamed?: Map<string, string>) {
    this.#parent = parent;
    this.#renamed = renamed ?? parent?.renamed;
  }

  get renamed(): Map<string, string> | undefined {
    return this.#renamed;
  }

  #has(name: string): boolean {
    if (this.#taken.has(name)) return true;
    const parent = this.#parent;
    return parent ? parent.#has(name) : false;
  }

  /** The name itself if it can be had, else with a number behind it. */
  unique(wanted: string): string {
    const base = plain(wanted);
    let name = base;
    for (let n = this.#taken.get(base) ?? 0; this.#has(name) || this.#within.has(name); name = `${base}_${n}`)
      n++;
    if (name !== base) this.#take(base, Number(name.slice(base.length + 1)));
    if (!this.#taken.has(name)) this.#take(name, 0);
    const parent = this.#parent;
    if (parent) parent.#within.add(name);
    // What is reserved never keeps its name.
    if (base !== wanted && isReserved(wanted) && !this.#renamed?.has(wanted))
      this.#renamed?.set(wanted, name);
    return name;
  }

  #take(name: string, last: number): void {
    this.#log.push({ name, before: this.#taken.get(name) });
    this.#taken.set(name, last);
  }

  /** For `rollback`, which makes names that are taken from now on free again. */
  mark(): number {
    return this.#log.length;
  }

  rollback(mark: number): void {
    for (const { name, before } of this.#log.splice(mark).reverse()) {
      if (before === undefined) this.#taken.delete(name);
      else this.#taken.set(name, before);
    }
  }
}

/** Identifiers that need no other form, as most are: without `_` at an end or beside another. */
const ordinary = /^[A-Za-z](?:_?[A-Za-z0-9])*$/;

/** An identifier that Metal takes, as near to the given text as can be. */
export function plain(text: string): string {
  if (ordinary.test(text)) return isReserved(text) ? `${text}0` : text;
  let name = text
    .replace(/\W+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_+(?=.)|(?<=.)_+$/g, '');
  if (name === '' || name === '_') name = 'unnamed';
  if (/^\d/.test(name)) name = `n${name}`;
  return isReserved(name) ? `${name}0` : name;
}

export function isReserved(name: string): boolean {
  return reserved.has(name) || typeLike.test(name);
}
