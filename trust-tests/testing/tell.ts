import tap from 'tap';
import { listsLeftOut } from './corpus.ts';
import type { Count } from './full.ts';
import { measured } from './measured.ts';

const told = new Set<string>();
let counted: Count | undefined;

/** This test file did less than its goal says: the report tells how much. */
export function counts(count: Count): void {
  counted = count;
}

/** Puts down at the end of this test file whether all of it passed, as one part of a goal. */
export function tellWhetherHeld(goal: string, part: string): void {
  if (told.has(part)) return;
  told.add(part);
  tap.teardown(() => {
    const { skip = 0, todo = 0 } = tap.counts;
    const held = tap.passing();
    // What was left out was not shown, unless what was not left out failed.
    if (held && (skip + todo > 0 || listsLeftOut())) return;
    measured(goal, {
      part,
      seen: held ? 'as stated' : 'not as stated',
      held,
      ...(counted ? { count: counted } : {}),
    });
  });
}
