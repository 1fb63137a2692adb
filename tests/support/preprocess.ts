/** Preprocesses text in memory, for tests. */
import { defaults, type Options } from '../../src/options.ts';
import { kindNames } from '../../src/preprocess/kinds.gen.ts';
import { preprocess } from '../../src/preprocess/preprocess.ts';
import { DiagnosticLog } from '../../src/source/diagnostic.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { SourceMap } from '../../src/source/source-map.ts';

export interface Setting {
  /** Included files by path. */
  files?: Readonly<Record<string, string>>;
  options?: Partial<Options>;
  name?: string;
}

export function preprocessText(text: string, { files = {}, options = {}, name = 'main.hlsl' }: Setting = {}) {
  const map = new SourceMap();
  const all = { ...defaults, ...options };
  const log = new DiagnosticLog(all);
  const asked: string[] = [];
  const result = preprocess(
    { name, text },
    {
      map,
      log,
      options: all,
      includes: (path) => {
        asked.push(path);
        return Object.hasOwn(files, path) ? files[path] : undefined;
      },
    },
  );
  const { tokens } = result;
  const list = Array.from({ length: tokens.count }, (_, i) => {
    const at = tokens.at[i]!;
    const place = map.presumed(at);
    return {
      kind: kindNames[tokens.kinds[i]!]!,
      text: tokens.texts[i]!,
      at,
      end: tokens.end[i]!,
      /** Where it counts as standing. */
      place: `${place.name}:${place.presumedLine}:${place.column}`,
      /** The characters there. */
      shown: textBetween(map, map.expanded(at), tokens.end[i]!),
      spelled: placeOf(map, map.spelling(at)),
    };
  });
  return {
    ...result,
    map,
    log,
    asked,
    list,
    texts: list.map((token) => token.text).join(' '),
    keys: log.diagnostics.map((diagnostic) => diagnostic.key),
    rendered: renderDiagnostics(log.diagnostics, map),
  };
}

/** `file:line:column` without `#line`. */
export function placeOf(map: SourceMap, location: number): string {
  const { file, line, column } = map.place(location);
  return `${file.name}:${line}:${column}`;
}

function textBetween(map: SourceMap, from: number, to: number): string {
  const file = map.fileAt(from);
  return file.text.slice(from - file.start, to - file.start);
}
