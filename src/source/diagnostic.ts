/** What goes wrong in the user's program: diagnostics, the log that collects them, and the compiler's own faults. */
import { type MessageKey, messageTable } from './messages.ts';
import type { Location } from './source-map.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A row of messages.ts. `text` holds `{name}` where `args.name` goes. */
export interface Message {
  /** `OS` and four digits; permanent. Notes have none. */
  code?: string;
  severity: Severity;
  /** Warnings: the group that `-W` flags name. */
  group?: string;
  text: string;
}

export interface Diagnostic {
  key: MessageKey;
  code: string;
  severity: Severity;
  group?: string;
  message: string;
  /** 0 when no place is to blame (command line, missing entry). May be negative (in a macro). */
  at: Location;
  /** One past the end of the range to underline; absent: the token at `at` alone. */
  end?: Location;
  notes: { message: string; at: Location }[];
}

export type MessageArgs = Readonly<Record<string, string | number>>;

/** A warning group is switched from a location on. */
interface WarningPragma {
  at: Location;
  action: 'disable' | 'default' | 'error';
}

interface LogPolicy {
  warningsAsErrors: boolean;
  noWarnings: boolean;
  disabledWarnings: readonly string[];
  /** Groups whose warnings are errors, or stay warnings whatever `warningsAsErrors` says. */
  groupsAsErrors: Readonly<Record<string, boolean>>;
}

const lenient: LogPolicy = {
  warningsAsErrors: false,
  noWarnings: false,
  disabledWarnings: [],
  groupsAsErrors: {},
};

/** After this many errors or warnings the rest is not collected; a note at the last one says so. */
const limits = { error: 100, warning: 1000 };

export class DiagnosticLog {
  readonly diagnostics: Diagnostic[] = [];
  /** Errors reported so far, the ones over the limit included. */
  errors = 0;
  #warnings = 0;
  readonly #policy: LogPolicy;
  #seen = new Set<string>();
  /** Warning groups switched by pragmas, by group in the order they are read; a child has those of its parent. */
  #pragmas = new Map<string, WarningPragma[]>();
  /** Which of two locations is read first; set by the preprocessor, which knows the order of files. */
  order: ((a: Location, b: Location) => number) | undefined;
  /** Where a message with no place of its own (0) stands: the start of the main file, set by the preprocessor. */
  main: Location = 0;

  constructor(policy: LogPolicy = lenient) {
    this.#policy = policy;
  }

  /**
   * Reports a message of the table at a place. The same message at the same place is reported once. Returns the
   * diagnostic so that notes can be added, or a throw-away one if it is not to be shown.
   */
  report(key: MessageKey, at: Location, args: MessageArgs = {}, end?: Location): Diagnostic {
    const row: Message = messageTable()[key];
    const diagnostic: Diagnostic = {
      key,
      code: row.code ?? '',
      severity: row.severity,
      ...(row.group !== undefined && { group: row.group }),
      message: format(row.text, args),
      at: at === 0 ? this.main : at,
      ...(end !== undefined && { end }),
      notes: [],
    };
    if (row.severity === 'warning') {
      if (this.#policy.noWarnings || (row.group && this.#policy.disabledWarnings.includes(row.group)))
        return diagnostic;
      const action = row.group === undefined ? undefined : this.#pragmaAction(row.group, at);
      if (action === 'disable') return diagnostic;
      if (action === 'error' || this.#isError(row.group)) diagnostic.severity = 'error';
    }
    this.adopt(diagnostic);
    return diagnostic;
  }

  #isError(group: string | undefined): boolean {
    const { warningsAsErrors, groupsAsErrors } = this.#policy;
    const own =
      group !== undefined && Object.hasOwn(groupsAsErrors, group) ? groupsAsErrors[group] : undefined;
    return own ?? warningsAsErrors;
  }

  /** An empty log with the same policy, for a part whose messages may yet be dropped. */
  child(): DiagnosticLog {
    const log = new DiagnosticLog(this.#policy);
    log.#pragmas = this.#pragmas;
    log.order = this.order;
    log.main = this.main;
    return log;
  }

  /** Takes over a message of a child. */
  adopt(diagnostic: Diagnostic): void {
    const identity = `${diagnostic.at}:${diagnostic.message}`;
    if (this.#seen.has(identity)) return;
    this.#seen.add(identity);
    if (diagnostic.severity === 'error') this.errors++;
    else this.#warnings++;
    if (this.#isOverLimit(diagnostic.severity)) return;
    this.diagnostics.push(diagnostic);
  }

  #isOverLimit(severity: Severity): boolean {
    const [count, limit] =
      severity === 'error' ? [this.errors, limits.error] : [this.#warnings, limits.warning];
    if (count === limit + 1) {
      const last = this.diagnostics.filter((diagnostic) => diagnostic.severity === severity).pop();
      if (last) this.note(last, 'more-not-shown', 0, { limit, severity });
    }
    return count > limit;
  }

  /** Notes that a group is switched from a location on. Pragmas are added in the order they are read. */
  addPragma(group: string, at: Location, action: WarningPragma['action']): void {
    const known = this.#pragmas.get(group);
    if (known) known.push({ at, action });
    else this.#pragmas.set(group, [{ at, action }]);
  }

  /** What the last pragma before a location says about a group. */
  #pragmaAction(group: string, at: Location): WarningPragma['action'] | undefined {
    const pragmas = this.#pragmas.get(group);
    if (at === 0 || !pragmas) return undefined;
    let low = 0;
    let high = pragmas.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.order?.(pragmas[middle]!.at, at) ?? 0) <= 0) low = middle + 1;
      else high = middle;
    }
    return pragmas[low - 1]?.action;
  }

  /** Adds a note that points to the other place involved. */
  note(diagnostic: Diagnostic, key: MessageKey, at: Location, args: MessageArgs = {}): void {
    diagnostic.notes.push({ message: format(messageTable()[key].text, args), at });
  }
}

/** A fault of the compiler, never of the user's program. `compile` turns it into one diagnostic (OS9001). */
export class InternalError extends Error {
  readonly at: Location;
  constructor(message: string, at: Location = 0) {
    super(message);
    this.name = 'InternalError';
    this.at = at;
  }
}

/** Ends an exhaustive `switch`: the type checker lists the places that a new member needs. */
export function unreachable(value: never): never {
  throw new InternalError(`unreachable: ${JSON.stringify(value)}`);
}

function format(text: string, args: MessageArgs): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in args ? String(args[name]) : whole));
}
