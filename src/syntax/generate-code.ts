/** Second half of the grammar compiler: analysed rules to the text of a parser. */
export { conflicts, loadGrammar } from './generate.ts';
import { applied, type Expr, type Grammar, type Rule } from './generate.ts';

interface Code {
  text: string;
  /** Variables that hold the children, in order. */
  values: string[];
}

/** Entry points that parser.ts uses besides the start rule. */
const entries = ['unit', 'decl', 'stmt', 'expr', 'initval', 'param', 'declr', 'enumerator'];

/** Node kinds in the order both variants share. */
export function treeNames(grammar: Grammar): string[] {
  return [...reachable(grammar)]
    .filter((rule) => !rule.passThrough && rule.body.t !== 'end')
    .map((rule) => rule.name);
}

export function emitKinds(grammar: Grammar): string {
  return `// Generated from syntax/hlsl.ohm by syntax/generate.ts; do not edit.
export const kindNames: readonly string[] = ${JSON.stringify(grammar.kindNames)};
`;
}

/** The parser's text. `tracking` adds the farthest failure and what was expected there. */
export function emitParser(grammar: Grammar, tracking: boolean): string {
  const names = treeNames(grammar);
  const sets = new SetTable();
  let functions = '';
  let memos = '';
  for (const rule of reachable(grammar)) {
    functions += new RuleEmitter(grammar, rule, sets, names, tracking).emit();
    if (rule.marks.has('memo')) memos += `memo_${rule.name}.clear(); `;
  }
  return `// @ts-nocheck
// Generated from syntax/hlsl.ohm by syntax/generate.ts; do not edit.
import { NestingError, nestingLimit, none, Tree, WideTree } from './tree.ts';
export const treeNames: readonly string[] = ${JSON.stringify(names)};
function set(kinds) { const u = new Uint8Array(256); for (let i = 0; i < kinds.length; i++) u[kinds[i]] = 1; return u; }
${tracking ? sets.lateDeclarations() : sets.declarations()}
let K = new Uint8Array(1), p = 0, depth = 0;
${tracking ? trackingText : ''}
/** One past the last token of the last successful parse. */
export function position(): number { return p; }
const rules = { ${entries.map((name) => `${name}: r_${name}`).join(', ')} };
/** Parses one rule from token \`from\` on; \`kinds\` ends with a 0. */
export function parseRule(kinds: Uint8Array, rule: ${entries.map((n) => `'${n}'`).join(' | ')}, from: number): Tree | null {
  K = kinds; p = from; depth = 0; ${tracking ? 'prepare(); far = from; quiet = 0; expected.clear(); ' : ''}${memos}
  return rules[rule]();
}
${functions}`;
}

const trackingText = `let far = 0, quiet = 0;
const expected = new Set();
function miss(id) { if (p < far || quiet > 0) return; if (p > far) { far = p; expected.clear(); } expected.add(id); }
/** Where the last parse got no further, and the kinds it could have used there. */
export function failure(): { position: number; expected: number[] } {
  return { position: far, expected: [...new Set([...expected].flatMap((id) => members[id]))] };
}`;

function* reachable(grammar: Grammar): Iterable<Rule> {
  const seen = new Set<string>([...entries]);
  for (const name of seen) for (const next of applied(grammar.rules.get(name)!.body)) seen.add(next);
  for (const rule of grammar.rules.values()) if (seen.has(rule.name)) yield rule;
}

/** Kind sets, each declared once. */
class SetTable {
  readonly members: number[][] = [];
  readonly #ids = new Map<string, number>();

  id(set: ReadonlySet<number>): number {
    const kinds = [...set].sort((a, b) => a - b);
    const key = kinds.join();
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.members.push(kinds) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }

  declarations(): string {
    return this.members.map((kinds, id) => `const S${id} = set([${kinds}]);`).join('\n');
  }

  /** The same at the first parse, for a parser that most runs have no use for. */
  lateDeclarations(): string {
    const names = this.members.map((_, id) => `S${id}`);
    return `let members, ${names};
function prepare() {
  if (members) return;
  members = ${JSON.stringify(this.members)};
  [${names}] = members.map(set);
}`;
  }
}

class RuleEmitter {
  readonly #grammar: Grammar;
  readonly #rule: Rule;
  readonly #sets: SetTable;
  readonly #names: string[];
  readonly #tracking: boolean;
  readonly #temporaries: string[] = [];
  #next = 0;

  constructor(grammar: Grammar, rule: Rule, sets: SetTable, names: string[], tracking: boolean) {
    this.#grammar = grammar;
    this.#rule = rule;
    this.#sets = sets;
    this.#names = names;
    this.#tracking = tracking;
  }

  emit(): string {
    const rule = this.#rule;
    const deep = rule.marks.has('deep');
    const body = this.#code(rule.body, deep ? 'depth--; return null;' : 'return null;');
    const result = this.#result(body.values, deep ? 'depth--; ' : '');
    const declared = this.#temporaries.length ? `let ${this.#temporaries.join(', ')};\n` : '';
    const enter = deep ? 'if (++depth > nestingLimit) throw new NestingError(p);\n' : '';
    const text = `const first = p;\n${declared}${enter}${body.text}${result}\n}\n`;
    if (!rule.marks.has('memo')) return `function r_${rule.name}() {\n${text}`;
    return `const memo_${rule.name} = new Map();
function r_${rule.name}() {
if (!(${this.#test(rule.first)})) { ${this.#miss(rule.first)}return null; }
const known = memo_${rule.name}.get(p);
if (known !== undefined) { p = known.p; return known.v; }
const from = p, v = m_${rule.name}();
memo_${rule.name}.set(from, { v, p });
return v;
}
function m_${rule.name}() {\n${text}`;
  }

  #result(values: string[], leave: string): string {
    const rule = this.#rule;
    if (rule.passThrough) return `${leave}return ${values[0]};`;
    const kept = values.filter((_, i) => rule.keep[i] !== 0);
    const wide = kept.length > 4;
    const slots = [...kept, ...Array<string>((wide ? 8 : 4) - kept.length).fill('undefined')];
    const kind = this.#names.indexOf(rule.name);
    const node = `${leave}return new ${wide ? 'WideTree' : 'Tree'}(${kind}, first, p, ${slots.join(', ')});`;
    if (!rule.marks.has('collapse')) return node;
    const absent = values
      .filter((_, i) => rule.keep[i] === 2)
      .map((v) => `(${v} === undefined || ${v} === none)`);
    return `if (${absent.join(' && ')}) { ${leave}return ${values[rule.keep.indexOf(1)]}; }\n${node}`;
  }

  #temporary(prefix: string): string {
    const name = prefix + this.#next++;
    this.#temporaries.push(name);
    return name;
  }

  #label(): string {
    return `L${this.#next++}`;
  }

  #test(set: ReadonlySet<number>): string {
    if (set.size > 2) return `S${this.#sets.id(set)}[K[p]] === 1`;
    return [...set].map((kind) => `K[p] === ${kind}`).join(' || ');
  }

  #miss(set: ReadonlySet<number>): string {
    return this.#tracking && set.size ? `miss(${this.#sets.id(set)}); ` : '';
  }

  /** Code that leaves the children in `values`; when it does not match it runs `fail` (p is then unspecified). */
  #code(e: Expr, fail: string): Code {
    switch (e.t) {
      case 'set':
        return this.#token(this.#test(e.set), e.set, fail);
      case 'any':
        return this.#token('K[p] !== 0', new Set(), fail);
      case 'end': {
        const v = this.#temporary('v');
        return { text: `if (K[p] !== 0) { ${this.#miss(new Set([0]))}${fail} } ${v} = p;\n`, values: [v] };
      }
      case 'app': {
        const v = this.#temporary('v');
        return { text: `if ((${v} = r_${e.rule}()) === null) { ${fail} }\n`, values: [v] };
      }
      case 'seq': {
        const parts = e.items.map((item) => this.#code(item, fail));
        return {
          text: parts.map((part) => part.text).join(''),
          values: parts.flatMap((part) => part.values),
        };
      }
      case 'not':
        return this.#not(e.e, fail);
      case 'and': {
        const s = this.#temporary('s');
        const inner = this.#code(e.e, fail);
        return { text: `${s} = p; ${inner.text} p = ${s};\n`, values: inner.values };
      }
      case 'opt':
        return this.#optional(e.e);
      case 'star':
      case 'plus':
        return this.#repeat(e.e, e.t === 'plus', fail);
      case 'list':
        return this.#list(e.e, e.separator, e.min, fail);
      case 'alt':
        return this.#choice(e.items, fail);
    }
  }

  #token(test: string, set: ReadonlySet<number>, fail: string): Code {
    const v = this.#temporary('v');
    return { text: `if (!(${test})) { ${this.#miss(set)}${fail} } ${v} = p++;\n`, values: [v] };
  }

  /** What must not come is no expectation, but as in Ohm the parse got as far as there. */
  #not(e: Expr, fail: string): Code {
    const here = this.#tracking ? `miss(${this.#sets.id(new Set())}); ` : '';
    if (e.t === 'set') return { text: `if (${this.#test(e.set)}) { ${here}${fail} }\n`, values: [] };
    const s = this.#temporary('s');
    const label = this.#label();
    const inner = this.#code(e, `break ${label};`);
    const [quiet, loud] = this.#tracking ? ['quiet++; ', 'quiet--; '] : ['', ''];
    const text = `${s} = p; ${quiet}${label}: { ${inner.text} p = ${s}; ${loud}${here}${fail} }\np = ${s}; ${loud}\n`;
    return { text, values: [] };
  }

  #optional(e: Expr): Code {
    const { first, nullable } = this.#grammar.analysis;
    const s = this.#temporary('s');
    const label = this.#label();
    const reset = '%RESET%';
    const inner = this.#code(e, `p = ${s}; ${reset}break ${label};`);
    const clear = inner.values.map((v) => `${v} = `).join('') + 'undefined; ';
    const body = inner.text.replaceAll(reset, clear);
    const guard = nullable(e) ? '' : `if (${this.#test(first(e))}) `;
    const otherwise = guard && this.#tracking ? ` else { ${this.#miss(first(e))} }` : '';
    return { text: `${clear}${guard}${label}: { ${s} = p; ${body} }${otherwise}\n`, values: inner.values };
  }

  #repeat(e: Expr, once: boolean, fail: string): Code {
    const { first, arity } = this.#grammar.analysis;
    const s = this.#temporary('s');
    const label = this.#label();
    const lists = Array.from({ length: arity(e) }, () => this.#temporary('a'));
    let text = lists.map((a) => `${a} = none; `).join('');
    if (once) {
      const head = this.#code(e, fail);
      text += head.text + lists.map((a, i) => `${a} = [${head.values[i]}]; `).join('');
    }
    const inner = this.#code(e, `p = ${s}; break ${label};`);
    const push = lists.map(
      (a, i) => `if (${a} === none) ${a} = [${inner.values[i]}]; else ${a}.push(${inner.values[i]});`,
    );
    text += `${label}: while (${this.#test(first(e))}) { ${s} = p; ${inner.text} ${push.join(' ')} }\n${this.#miss(first(e))}\n`;
    return { text, values: lists };
  }

  #list(e: Expr, separator: Expr, min: number, fail: string): Code {
    const { first } = this.#grammar.analysis;
    const list = this.#temporary('a');
    const s = this.#temporary('s');
    const loop = this.#label();
    const whole = this.#label();
    const head = this.#code(e, min ? fail : `p = ${s}; break ${whole};`);
    const between = this.#code(separator, `break ${loop};`);
    const next = this.#code(e, `p = ${s}; break ${loop};`);
    const rest = `${list} = [${head.values[0]}];
${loop}: while (${this.#test(first(separator))}) { ${s} = p; ${between.text} ${next.text} ${list}.push(${next.values[0]}); }
${this.#miss(first(separator))}`;
    if (min) return { text: `${head.text}${rest}\n`, values: [list] };
    const otherwise = this.#tracking ? ` else { ${this.#miss(first(e))} }` : '';
    const text = `${list} = none; if (${this.#test(first(e))}) ${whole}: { ${s} = p; ${head.text} ${rest} }${otherwise}\n`;
    return { text, values: [list] };
  }

  #choice(items: Expr[], fail: string): Code {
    const { first, nullable, arity } = this.#grammar.analysis;
    const values = Array.from({ length: arity(items[0]!) }, () => this.#temporary('v'));
    const done = this.#label();
    const s = this.#temporary('s');
    const assign = (code: Code) => values.map((v, i) => `${v} = ${code.values[i]}; `).join('');
    const inOrder = (alternatives: Expr[]): string =>
      alternatives
        .map((item, i) => {
          if (i === alternatives.length - 1) {
            const code = this.#code(item, fail);
            return `${code.text}${assign(code)}break ${done};\n`;
          }
          const label = this.#label();
          const code = this.#code(item, `break ${label};`);
          return `${label}: { ${code.text} ${assign(code)}break ${done}; }\np = ${s};\n`;
        })
        .join('');
    const groups = new Map<string, number[]>();
    for (let kind = 0; kind < this.#grammar.kindNames.length; kind++) {
      const able = items.map((_, i) => i).filter((i) => nullable(items[i]!) || first(items[i]!).has(kind));
      if (able.length) groups.set(able.join(), [...(groups.get(able.join()) ?? []), kind]);
    }
    let text = `${s} = p; ${done}: { switch (K[p]) {\n`;
    for (const [key, kinds] of groups) {
      const missed = this.#tracking ? this.#missedAlternatives(items, key) : '';
      text += `${kinds.map((kind) => `case ${kind}: `).join('')}{ ${missed}${inOrder(key.split(',').map((i) => items[Number(i)]!))} }\n`;
    }
    const set = new Set(items.flatMap((item) => [...first(item)]));
    text += `default: ${this.#miss(set)}${fail} } }\n`;
    return { text, values };
  }

  /** Alternatives that the switch skips would have failed right here. */
  #missedAlternatives(items: Expr[], able: string): string {
    const { first } = this.#grammar.analysis;
    const tried = new Set(able.split(',').map(Number));
    const skipped = new Set(items.flatMap((item, i) => (tried.has(i) ? [] : [...first(item)])));
    return this.#miss(skipped);
  }
}
