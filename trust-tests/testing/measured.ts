import { appendFileSync } from 'node:fs';
import { type Count, reducedTo } from './full.ts';

export type Measurement = {
  /** `G6`: one of goals/goals.ts */
  goal: string;
  /** Which of the goal's parts, where it has parts: `A14`, `F3`. */
  part?: string;
  /** What was measured, short, with its unit: `412 MB, 2.1 s`. */
  seen: string;
  /** Whether that is within the number to hold. */
  held: boolean;
  /** How often it was made, where the goal says how often. */
  count?: Count;
  /** Why this machine, as it was in this run, could not tell: then a number beyond its bound breaks nothing. */
  unsure?: string;
};

/** Puts down what a test measured, for the table of `npm run test:trust -- --report`; without it, nothing. */
export function measured(goal: string, measurement: Omit<Measurement, 'goal'>): void {
  const file = process.env.GALLERY_MEASUREMENTS;
  const count = measurement.count && reducedTo(measurement.count);
  // One short write: files of two test processes do not mix their lines.
  if (file) appendFileSync(file, `${JSON.stringify({ goal, ...measurement, count })}\n`);
}
