import { randomUUID } from 'node:crypto';
import t from 'tap';
import { albums, collectGuests, collectLinks, uploads } from '../../../drizzle/schema.ts';
import { connect } from '../../database/connect.ts';
import type { Partials } from '../../storage/partials.ts';
import { insertOwner } from '../../testing/collections/gallery-rows.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { createSweep } from './sweep.ts';

const { db, close } = connect((await createTestDatabase(t)).url);
t.teardown(close);

/** Complete uploads that a stopped server left. */
const whole = ['a', 'b', 'c'].map((filename) => ({ id: randomUUID(), filename }));
const ownerId = await insertOwner(db);
const expiresAt = new Date(Date.now() + 3_600_000);
await db.insert(uploads).values(whole.map((upload) => ({ ...upload, ownerId, size: 1, received: 1, expiresAt })));

/** Files without an upload. */
const [lost, stuck, old] = [randomUUID(), randomUUID(), randomUUID()];

function sweeping(decide: Parameters<typeof createSweep>[0]['decide']) {
  const removed: string[] = [];
  const partials = {
    ids: async () => new Set([lost, stuck, old, ...whole.map(({ id }) => id)]),
    async remove(id: string) {
      if (id === stuck) throw new Error('the disk does not let go of it');
      removed.push(id);
    },
  } as Partial<Partials> as Partials;
  return { sweep: createSweep({ db, partials, decide }), removed };
}

t.test('a sweep continues after failures and throws the first one at the end', async (t) => {
  const decided: string[] = [];
  const { sweep, removed } = sweeping(async ({ filename }) => {
    if (filename === 'a') throw new Error('it cannot be read');
    decided.push(filename);
  });
  await t.rejects(sweep(new AbortController().signal), { message: 'the disk does not let go of it' });
  t.same(removed, [lost, old]);
  t.same(decided.toSorted(), ['b', 'c']);
});

t.test('a sweep decides no further upload once the server stops', async (t) => {
  const gracefulShutdown = new AbortController();
  const decided: string[] = [];
  const { sweep } = sweeping(async ({ id }) => {
    decided.push(id);
    gracefulShutdown.abort();
  });
  await t.rejects(sweep(gracefulShutdown.signal));
  t.equal(decided.length, 1);
});

t.test('a sweep uses the part of the link for an upload of its guest', async (t) => {
  const [linkId, guestId, albumId, id] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await db.insert(albums).values({ id: albumId, ownerId, name: 'Party', searchName: 'party', position: 1 });
  const options = { open: false, asksName: false, lookFirst: false, maxFiles: 5, maxBytes: 100 };
  await db.insert(collectLinks).values({ id: linkId, ownerId, key: linkId, name: 'Party', albumId, ...options });
  await db.insert(collectGuests).values({ id: guestId, linkId, tokenHash: guestId, passwordVersion: 0, expiresAt });
  await db.insert(uploads).values({ id, filename: 'g', ownerId, guestId, size: 1, received: 1, expiresAt });
  const parts = new Map<string, string>();
  const { sweep } = sweeping(async ({ filename }, { account }) => void parts.set(filename, account));
  await t.rejects(sweep(new AbortController().signal));
  t.equal(parts.get('g'), linkId);
  t.equal(parts.get('a'), ownerId);
});
