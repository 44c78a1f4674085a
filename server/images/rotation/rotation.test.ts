import t from 'tap';
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { everythingOf } from '../../database/statements/access.ts';
import { Undecided } from '../transactions.ts';
import { createRotation } from './rotation.ts';

/** A rotation that records what it forgets. @param transaction replaces the one that writes the keys */
function recorded(transaction: () => Promise<unknown>) {
  const forgotten: string[] = [];
  const rotation = createRotation({
    db: { transaction } as unknown as Database,
    forget: (linkKey) => void forgotten.push(linkKey),
    forgetAll: () => void forgotten.push('all'),
  });
  return { rotation, forgotten };
}

t.test('the former links leave the cache before the rotation is answered', async (t) => {
  const rows = [{ id: 'image' }] as ImageRow[];
  const { rotation, forgotten } = recorded(async () => ({ rows, formerKeys: ['one', 'two'] }));
  t.equal(await rotation(everythingOf('owner'), ['image']), rows);
  t.same(forgotten, ['one', 'two']);
});

t.test('a rotation whose commit is undecided empties the cache', async (t) => {
  const { rotation, forgotten } = recorded(async () => {
    throw new Undecided([], undefined);
  });
  const error = await rotation(everythingOf('owner'), ['image']).catch((error: unknown) => error);
  t.ok(error instanceof Undecided);
  t.same(forgotten, ['all']);
});
