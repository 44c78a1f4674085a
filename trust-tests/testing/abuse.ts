/** Registers tests of one abuse group per file, and records in the report whether they passed without a server failure. */
import tap, { type Test } from 'tap';
import { takeFailures } from './machine/loopback.ts';
import { listsLeftOut, withoutCorpus } from './pictures/corpus.ts';
import { tellWhetherHeld } from './tell.ts';

/** @param group `A1` to `A33` */
export function abuse(group: string, name: string, work: (t: Test) => Promise<void>): void {
  tellWhetherHeld('G13', group);
  tap.test(name, async (t) => {
    await work(t);
    if (listsLeftOut()) t.comment(`${withoutCorpus}: its lists were not used, and ${group} is not measured`);
    t.same(takeFailures(), [], 'no answer was a failure of the server');
  });
}
