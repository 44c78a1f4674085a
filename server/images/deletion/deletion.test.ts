import t from 'tap';
import type { Database } from '../../database/connect.ts';
import { everythingOf } from '../../database/statements/access.ts';
import type { OrphanedBlobs } from '../orphaned-blobs/orphaned-blobs.ts';
import { Undecided } from '../transactions.ts';
import { createDeletion } from './deletion.ts';
import type { Deleted } from './queries.ts';

const blob = { id: 'content', extension: 'png' };

/** A deletion whose steps are recorded in their order. @param transaction replaces the transaction that deletes the row */
function recorded(transaction: () => Promise<Deleted | undefined>) {
  const steps: unknown[] = [];
  const step =
    (name: string) =>
    (detail?: unknown): void =>
      void steps.push(detail === undefined ? name : [name, detail]);
  const orphanedBlobs = {
    remove: async (blobs: unknown) => step('remove')(blobs),
    release: step('release'),
  } as unknown as OrphanedBlobs;
  const deletion = createDeletion({
    db: { transaction } as unknown as Database,
    process: 1n,
    orphanedBlobs,
    forget: step('forget'),
    forgetAll: () => step('forget all')(),
  });
  return { deletion, steps };
}

t.test('a deleted link leaves the cache before its bytes are removed and the deletion is answered', async (t) => {
  const { deletion, steps } = recorded(async () => ({ linkKey: 'key', released: [blob] }));
  t.equal(await deletion(everythingOf('owner'), 'image'), true);
  t.same(steps, [
    ['forget', 'key'],
    ['remove', [blob]],
  ]);
});

t.test('a deletion of an image that does not exist changes nothing', async (t) => {
  const { deletion, steps } = recorded(async () => undefined);
  t.equal(await deletion(everythingOf('owner'), 'image'), false);
  t.same(steps, []);
});

t.test('a deletion whose commit is undecided empties the cache and leaves the bytes to the sweep', async (t) => {
  const { deletion, steps } = recorded(async () => {
    throw new Undecided([blob], undefined);
  });
  t.ok((await deletion(everythingOf('owner'), 'image').catch((error: unknown) => error)) instanceof Undecided);
  t.same(steps, ['forget all', ['release', [blob]]]);
});
