/** Pieces of work that are timed and traced. Nothing here says whose picture it is, or by which link it is found. */
import type { BeginQuery } from '../database/driver/watched-queries.ts';

export type Stage = 'receive' | 'judge' | 'decode' | 'keep' | 'insert';

export type Step =
  | { kind: 'ingest'; stage: Stage }
  /** `collection`: the first part of a key, or where else bytes stand meanwhile. */
  | { kind: 'storage'; operation: string; collection: string };

/** Does a piece of work, and passes on what comes of it. */
export type Instrument = <T>(piece: Step, work: () => Promise<T>) => Promise<T>;

export function combineInstruments(
  outer: Instrument | undefined,
  inner: Instrument | undefined,
): Instrument | undefined {
  if (!outer || !inner) return outer ?? inner;
  return (piece, work) => outer(piece, () => inner(piece, work));
}

/** @returns undefined where nobody wants to be told */
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
