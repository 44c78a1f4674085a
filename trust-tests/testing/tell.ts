import tap from 'tap';
import type { Count } from './full.ts';
import { measured } from './measured.ts';
import { listsLeftOut } from './pictures/corpus.ts';

const told = new Set<string>();
let counted: Count | undefined;

/** Records that this test file did less than its goal demands. */
export function counts(count: Count): void {
  counted = count;
}

/** Records at the end of this test file whether all of it passed, as one part of a goal. */
export function tellWhetherHeld(goal: string, part: string): void {
  if (told.has(part)) return;
  told.add(part);
  tap.teardown(() => {
    const { skip = 0, todo = 0 } = tap.counts;
    const held = tap.passing();
    // A skipped test proves nothing, unless another one failed.
    if (held && (skip + todo > 0 || listsLeftOut())) return;
    measured(goal, {
      part,
      seen: held ? 'as stated' : 'not as stated',
      held,
      ...(counted ? { count: counted } : {}),
    });
  });
}
