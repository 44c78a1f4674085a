/** Timed and traced steps. They contain no account and no link. */
import type { BeginQuery } from '../database/driver/query-observer.ts';

export type Stage = 'receive' | 'judge' | 'decode' | 'keep' | 'insert';

export type Step =
  | { kind: 'ingest'; stage: Stage }
  /** `collection`: the first part of a key, or the name of a staging area. */
  | { kind: 'storage'; operation: string; collection: string };

/** Runs work and returns its result. */
export type Instrument = <T>(step: Step, work: () => Promise<T>) => Promise<T>;

export function combineInstruments(
  outer: Instrument | undefined,
  inner: Instrument | undefined,
): Instrument | undefined {
  if (!outer || !inner) return outer ?? inner;
  return (step, work) => outer(step, () => inner(step, work));
}

/** @returns undefined if no listener is given */
export function allQueries(begins: (BeginQuery | undefined)[]): BeginQuery | undefined {
  const wanted = begins.filter((begin) => begin !== undefined);
  if (wanted.length === 0) return undefined;
  return (text, state) => {
    const ends = wanted.map((begin) => begin(text, state));
    return (error) => {
      for (const end of ends) end(error);
    };
  };
}
