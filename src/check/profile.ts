/** The profile of `-T`: stage and shader model. */
import type { Stage } from '../ir/ir.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Location } from '../source/source-map.ts';

export interface Profile {
  stage: Stage;
  /** As 60 for 6.0. */
  shaderModel: number;
}

const stages: Readonly<Record<string, Stage>> = {
  vs: 'vertex',
  ps: 'pixel',
  cs: 'compute',
  gs: 'geometry',
  hs: 'hull',
  ds: 'domain',
  ms: 'mesh',
  as: 'amplification',
  lib: 'library',
};

const supported: ReadonlySet<Stage> = new Set<Stage>(['vertex', 'pixel', 'compute']);

/** Reads the profile; undefined after a message, which stands at the entry. Profiles before 6.0 are compiled as 6.0, as DXC does. */
export function parseProfile(text: string, log: DiagnosticLog, entry: Location): Profile | undefined {
  if (text === '') {
    log.report('profile-missing', entry);
    return undefined;
  }
  const match = /^([a-z]+)_([4-6])_([0-9]|1[0-9]|x)$/.exec(text);
  const stage = match?.[1] !== undefined && Object.hasOwn(stages, match[1]) ? stages[match[1]] : undefined;
  if (!match || !stage || (match[3] === 'x' && stage !== 'library')) {
    log.report('profile-bad', entry, { profile: text });
    return undefined;
  }
  if (!supported.has(stage)) {
    log.report('profile-unsupported', entry, { stage, profile: text });
    return undefined;
  }
  const model = Number(match[2]) * 10 + Number(match[3]);
  if (model >= 60) return { stage, shaderModel: model };
  log.report('profile-promoted', entry, { profile: text, promoted: `${match[1]}_6_0` });
  return { stage, shaderModel: 60 };
}

/** A stage as messages name it. */
export const stageNames: Readonly<Record<Stage, string>> = {
  vertex: 'vertex',
  pixel: 'pixel',
  compute: 'compute',
  geometry: 'geometry',
  hull: 'hull',
  domain: 'domain',
  mesh: 'mesh',
  amplification: 'amplification',
  library: 'library',
};
