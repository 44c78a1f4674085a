import { appendFileSync } from 'node:fs';
import { type Count, reducedTo } from './full.ts';

export type Measurement = {
  /** `G6`: one of goals/goals.ts */
  goal: string;
  /** The part of a goal that has parts: `A14`, `F3`. */
  part?: string;
  /** What was measured, with its unit: `412 MB, 2.1 s`. */
  seen: string;
  /** Whether it is within the goal's figure. */
  held: boolean;
  /** How often it was done, if the goal demands a number. */
  count?: Count;
  /** Why this machine could not measure it in this run: then exceeding the limit is not a failure. */
  unsure?: string;
};

/** Writes a measurement for the table of `npm run test:trust -- --report`; does nothing without it. */
export function measured(goal: string, measurement: Omit<Measurement, 'goal'>): void {
  const file = process.env.GALLERY_MEASUREMENTS;
  const count = measurement.count && reducedTo(measurement.count);
  // One short write, so that lines of two test processes do not mix.
  if (file) appendFileSync(file, `${JSON.stringify({ goal, ...measurement, count })}\n`);
}
