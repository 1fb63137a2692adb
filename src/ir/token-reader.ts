/** A cursor over the tokens of the IR's text form. */
import { IrSyntaxError, type IrToken, type IrTokenKind, tokenize } from './text-tokens.ts';

export class TokenReader {
  readonly text: string;
  readonly tokens: readonly IrToken[];
  #next = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokenize(text);
  }

  fail(message: string, token: IrToken = this.tokens[this.#next]!): never {
    throw new IrSyntaxError(this.text, token.at, message);
  }
  get token(): IrToken {
    return this.tokens[this.#next]!;
  }
  /** The token `ahead` of the next one. */
  peek(ahead: number): IrToken {
    return this.tokens[Math.min(this.#next + ahead, this.tokens.length - 1)]!;
  }
  /** The last token taken. */
  get last(): IrToken {
    return this.tokens[this.#next - 1]!;
  }
  take(): IrToken {
    const token = this.token;
    if (token.kind !== 'end') this.#next++;
    return token;
  }
  is(text: string): boolean {
    const { kind } = this.token;
    return (kind === 'word' || kind === 'punctuation' || kind === 'number') && this.token.text === text;
  }
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.#next++;
    return true;
  }
  expect(text: string): void {
    if (!this.accept(text)) this.fail(`expected '${text}', not '${this.token.text}'`);
  }
  kind(kind: IrTokenKind): IrToken {
    if (this.token.kind !== kind) this.fail(`expected a ${kind}, not '${this.token.text}'`);
    return this.take();
  }
  word<T extends string>(what: string, among: readonly T[]): T {
    const token = this.take();
    const found = among.find((word) => word === token.text);
    if (!found) this.fail(`unknown ${what} '${token.text}'`, token);
    return found;
  }
  /** A word or a string. */
  name(): string {
    const token = this.take();
    if (token.kind !== 'word' && token.kind !== 'string')
      this.fail(`expected a name, not '${token.text}'`, token);
    return token.text;
  }
  number(): number {
    return Number(this.kind('number').text.replace(/u$/, ''));
  }
  /** Items until `close`, separated by commas. */
  list(close: string, item: () => void): void {
    if (this.accept(close)) return;
    do item();
    while (this.accept(','));
    this.expect(close);
  }
  strings(): string[] {
    const strings: string[] = [];
    while (this.token.kind === 'string') strings.push(this.take().text);
    return strings;
  }
}
