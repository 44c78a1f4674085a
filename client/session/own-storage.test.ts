import t from 'tap';
import { createOwnStorage, ownKey } from './own-storage.ts';
import { createSessionStore } from './session-store.ts';

const amira = { id: '1', username: 'amira', email: 'amira@example.com', created_at: '2026-01-01T00:00:00.000Z' };
const noor = { ...amira, id: '2', username: 'noor' };

function browser() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** A page that is opened: its session and what it keeps, over one browser's storage. */
function open(storage: ReturnType<typeof browser>) {
  const session = createSessionStore(storage);
  return { session, own: createOwnStorage(storage, session) };
}

t.test('what is kept is there when the page is opened again', async (t) => {
  const storage = browser();
  const { session, own } = open(storage);
  session.start({ access_token: 'a', user: amira });
  own.kept('videos').set(['one']);
  own.kept('other').set(2);
  const again = open(storage).own;
  t.same(again.kept('videos').get(), ['one']);
  t.equal(again.kept('other').get(), 2);
});

t.test('a logout forgets it, in another tab too', async (t) => {
  const storage = browser();
  const first = open(storage);
  first.session.start({ access_token: 'a', user: amira });
  const second = open(storage);
  second.own.kept('videos').set(['one']);
  first.session.end();
  t.notOk(storage.values.has(ownKey));
  second.own.kept('videos').set(['late']);
  second.session.refresh();
  t.notOk(storage.values.has(ownKey), 'nothing is written after it');
});

t.test('a session that expired keeps it for its owner', async (t) => {
  const { session, own } = open(browser());
  session.start({ access_token: 'a', user: amira });
  own.kept('videos').set(['one']);
  session.expire('a');
  t.equal(own.kept('videos').get(), undefined, 'nobody reads it meanwhile');
  session.start({ access_token: 'b', user: amira });
  t.same(own.kept('videos').get(), ['one']);
});

t.test('whoever else logs in finds nothing, and nothing is left', async (t) => {
  const storage = browser();
  const { session, own } = open(storage);
  session.start({ access_token: 'a', user: amira });
  own.kept('videos').set(['one']);
  session.expire('a');
  session.start({ access_token: 'b', user: noor });
  t.equal(own.kept('videos').get(), undefined);
  t.notOk(storage.values.has(ownKey));
});

t.test('another one’s values go when the page is opened, broken ones read as none', async (t) => {
  for (const text of [
    '{broken',
    'null',
    '7',
    '{"owner":"2","values":{"videos":["one"]}}',
    '{"owner":"1","values":3}',
  ]) {
    const storage = browser();
    createSessionStore(storage).start({ access_token: 'a', user: amira });
    storage.setItem(ownKey, text);
    t.equal(open(storage).own.kept('videos').get(), undefined, text);
    t.notOk(storage.values.has(ownKey), text);
  }
});

t.test('a full storage is no error', async (t) => {
  const storage = browser();
  const { session, own } = open(storage);
  session.start({ access_token: 'a', user: amira });
  storage.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  own.kept('videos').set(['one']);
  t.equal(own.kept('videos').get(), undefined);
});
