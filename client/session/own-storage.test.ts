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

/** Opens a page: its session and its account storage, in one browser's storage. */
function open(storage: ReturnType<typeof browser>) {
  const session = createSessionStore(storage);
  return { session, own: createOwnStorage(storage, session) };
}

t.test('stored values survive a reload', async (t) => {
  const storage = browser();
  const { session, own } = open(storage);
  session.start({ access_token: 'a', user: amira });
  own.value('videos').set(['one']);
  own.value('other').set(2);
  const again = open(storage).own;
  t.same(again.value('videos').get(), ['one']);
  t.equal(again.value('other').get(), 2);
});

t.test('a logout clears the values, also from another tab', async (t) => {
  const storage = browser();
  const first = open(storage);
  first.session.start({ access_token: 'a', user: amira });
  const second = open(storage);
  second.own.value('videos').set(['one']);
  first.session.end();
  t.notOk(storage.values.has(ownKey));
  second.own.value('videos').set(['late']);
  second.session.refresh();
  t.notOk(storage.values.has(ownKey), 'nothing is written after the logout');
});

t.test('an expired session keeps the values for its owner', async (t) => {
  const { session, own } = open(browser());
  session.start({ access_token: 'a', user: amira });
  own.value('videos').set(['one']);
  session.expire('a');
  t.equal(own.value('videos').get(), undefined, 'unreadable while logged out');
  session.start({ access_token: 'b', user: amira });
  t.same(own.value('videos').get(), ['one']);
});

t.test('a session that expires in another tab keeps the values for their owner', async (t) => {
  const storage = browser();
  const first = open(storage);
  first.session.start({ access_token: 'a', user: amira });
  const second = open(storage);
  second.own.value('videos').set(['one']);
  first.session.expire('a');
  second.session.refresh();
  second.session.start({ access_token: 'b', user: amira });
  t.same(second.own.value('videos').get(), ['one']);
});

t.test('another account that logs in finds no values, and they are removed', async (t) => {
  const storage = browser();
  const { session, own } = open(storage);
  session.start({ access_token: 'a', user: amira });
  own.value('videos').set(['one']);
  session.expire('a');
  session.start({ access_token: 'b', user: noor });
  t.equal(own.value('videos').get(), undefined);
  t.notOk(storage.values.has(ownKey));
});

t.test('values of another account, and malformed ones, are removed when the page opens', async (t) => {
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
    t.equal(open(storage).own.value('videos').get(), undefined, text);
    t.notOk(storage.values.has(ownKey), text);
  }
});

t.test('a full storage is not an error', async (t) => {
  const storage = browser();
  const { session, own } = open(storage);
  session.start({ access_token: 'a', user: amira });
  storage.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  own.value('videos').set(['one']);
  t.equal(own.value('videos').get(), undefined);
});
