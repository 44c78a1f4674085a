import tap from 'tap';
import { measured } from './measured.ts';

const told = new Set<string>();

/** Puts down at the end of this test file whether all of it passed, as one part of a goal. */
export function tellWhetherHeld(goal: string, part: string): void {
  if (told.has(part)) return;
  told.add(part);
  tap.teardown(() => {
    const { skip = 0, todo = 0 } = tap.counts;
    // What was left out was not shown.
    if (skip + todo > 0) return;
    measured(goal, { part, seen: tap.passing() ? 'as stated' : 'not as stated', held: tap.passing() });
  });
}
