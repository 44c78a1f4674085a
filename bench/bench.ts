import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figure.ts';

export type Bench = {
  /** Rounds to measure: five or more. */
  rounds: number;
  /** `--name` and `--name=value` of the command line; a bare one is `true`. */
  options: Record<string, string | true>;
  /** Prints a line of progress. */
  say(text: string): void;
  /** Registers a cleanup for the end of the bench, even after a failure; the last one runs first. */
  after(undo: () => unknown): void;
  /** @returns a temporary folder that is removed after the bench */
  folder(): Promise<string>;
};

/** The type of `measure` in each bench/<name>.ts. */
export type Measure = (bench: Bench) => Promise<Figure[]>;

export const FEWEST_ROUNDS = 5;

export function createBench(rounds: number, options: Bench['options']): Bench & { end(): Promise<void> } {
  const undoing: (() => unknown)[] = [];
  const bench: Bench = {
    rounds,
    options,
    say: (text) => console.error(text),
    after: (undo) => undoing.push(undo),
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'bench-'));
      bench.after(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
  };
  return {
    ...bench,
    async end() {
      for (let undo = undoing.pop(); undo !== undefined; undo = undoing.pop()) await undo();
    },
  };
}

/** Measures ours and its limit in alternating order, so that disturbances affect both and neither is always second. */
export async function pairs<Ours, Limit>(
  rounds: number,
  ours: (round: number) => Promise<Ours>,
  limit: (round: number) => Promise<Limit>,
): Promise<{ ours: Ours; limit: Limit }[]> {
  const measured: { ours: Ours; limit: Limit }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await ours(round);
      measured.push({ ours: first, limit: await limit(round) });
    } else {
      const first = await limit(round);
      measured.push({ ours: await ours(round), limit: first });
    }
  }
  return measured;
}
