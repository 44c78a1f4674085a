/** One group of abuse for each test file: what it saw goes into the report, and no answer may ever be a failure of ours. */
import tap, { type Test } from 'tap';
import { takeFailures } from './loopback.ts';
import { measured } from './measured.ts';

const groups = new Set<string>();

function tell(group: string): void {
  if (groups.has(group)) return;
  groups.add(group);
  tap.teardown(() => {
    const { skip = 0, todo = 0 } = tap.counts;
    // What was left out was not shown.
    if (skip + todo > 0) return;
    measured('G13', { part: group, seen: tap.passing() ? 'as stated' : 'not as stated', held: tap.passing() });
  });
}

/** @param group `A1` to `A32` */
export function abuse(group: string, name: string, work: (t: Test) => Promise<void>): void {
  tell(group);
  tap.test(name, async (t) => {
    await work(t);
    t.same(takeFailures(), [], 'no answer was a failure of the server');
  });
}
