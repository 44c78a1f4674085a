import t from 'tap';
import { createSessionStore, type SessionStore } from './session-store.ts';

const user = { id: '1', username: 'amira', email: 'amira@example.com', created_at: '2026-01-01T00:00:00.000Z' };

function storageOf(entries: Record<string, string> = {}) {
  const values = new Map(Object.entries(entries));
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

t.test('a login stores the token, and the user as JSON', async (t) => {
  const storage = storageOf();
  createSessionStore(storage).start({ access_token: 'a', user });
  t.equal(storage.values.get('access_token'), 'a');
  t.same(JSON.parse(storage.values.get('user') ?? ''), user);
  t.same(createSessionStore(storage).user(), user);
});

t.test('a renamed user is stored, and a rename after the logout stores nothing', async (t) => {
  const storage = storageOf();
  const store = createSessionStore(storage);
  store.start({ access_token: 'a', user });
  store.rename({ ...user, username: 'nadia' });
  t.match(store.user(), { username: 'nadia' });
  store.end();
  store.rename(user);
  t.equal(storage.values.size, 0);
});

t.test('a late rename does not change another account that has logged in', async (t) => {
  const store = createSessionStore(storageOf());
  store.start({ access_token: 'a', user });
  store.end();
  store.start({ access_token: 'b', user: { ...user, id: '2', username: 'noor' } });
  store.rename({ ...user, username: 'nadia' });
  t.match(store.user(), { id: '2', username: 'noor' });
});

t.test('a stored token counts as a login, even with a malformed user', async (t) => {
  const store = createSessionStore(storageOf({ access_token: 'a', user: '{broken' }));
  t.equal(store.token(), 'a');
  t.equal(store.user(), null);
});

t.test('an empty token does not count as a login', async (t) => {
  t.equal(createSessionStore(storageOf({ access_token: '' })).token(), null);
});

t.test('logout removes the token and notifies once', async (t) => {
  const storage = storageOf({ access_token: 'a', user: '{}' });
  const store = createSessionStore(storage);
  const ends: string[] = [];
  store.onEnd((how) => ends.push(how));
  store.end();
  store.end();
  t.equal(storage.values.size, 0);
  t.same(ends, ['ended']);
});

t.test('a renewed token replaces the old one, unless the session has ended', async (t) => {
  const storage = storageOf();
  const store = createSessionStore(storage);
  store.start({ access_token: 'a', user });
  store.renew('a', 'b');
  t.equal(store.token(), 'b');
  t.equal(storage.values.get('access_token'), 'b');
  t.match(store.user(), { id: user.id });
  store.end();
  store.renew('b', 'c');
  t.equal(store.token(), null);
  t.equal(storage.values.size, 0);
});

t.test('a late refusal does not end a session that another tab has renewed', async (t) => {
  const storage = storageOf({ access_token: 'a', user: '{}' });
  const store = createSessionStore(storage);
  const ends: string[] = [];
  store.onEnd((how) => ends.push(how));
  // The event of the other tab has not arrived yet.
  storage.setItem('access_token', 'b');
  store.expire('a');
  t.equal(store.token(), 'b');
  t.equal(storage.values.get('access_token'), 'b');
  t.same(ends, []);
});

t.test('ten refusals of one token expire the session once', async (t) => {
  const store = createSessionStore(storageOf({ access_token: 'a' }));
  const ends: string[] = [];
  store.onEnd((how) => ends.push(how));
  for (let i = 0; i < 10; i++) store.expire('a');
  t.same(ends, ['expired']);
  t.equal(store.token(), null);
});

t.test('a late refusal of the old token does not end the new login', async (t) => {
  const store = createSessionStore(storageOf({ access_token: 'old' }));
  store.start({ access_token: 'new', user });
  store.expire('old');
  t.equal(store.token(), 'new');
});

t.test('a logout in another tab ends the session here', async (t) => {
  const storage = storageOf({ access_token: 'a' });
  const store = createSessionStore(storage);
  let told = 0;
  const stop = store.subscribe(() => told++);
  storage.values.delete('access_token');
  store.refresh();
  store.refresh();
  t.equal(store.token(), null);
  t.equal(told, 1);
  stop();
  store.start({ access_token: 'b', user });
  t.equal(told, 1, 'no notification after unsubscribing');
});

t.test('an expired session counts as expired in the other tabs, and a logout as a logout', async (t) => {
  for (const [how, finish] of [
    ['expired', (store: SessionStore) => store.expire('a')],
    ['ended', (store: SessionStore) => store.end()],
  ] as const) {
    const storage = storageOf();
    const store = createSessionStore(storage);
    store.start({ access_token: 'a', user });
    const other = createSessionStore(storage);
    const ends: string[] = [];
    for (const each of [store, other]) each.onEnd((end) => ends.push(end));
    const remove = storage.removeItem;
    // The other tab's storage event arrives with the removal of the token.
    storage.removeItem = (key) => {
      remove(key);
      if (key === 'access_token') other.refresh();
    };
    finish(store);
    t.same(ends, [how, how]);
    t.equal(other.user(), null);
  }
});

t.test('a login works with a full storage', async (t) => {
  const storage = storageOf();
  storage.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  const store = createSessionStore(storage);
  store.start({ access_token: 'a', user });
  t.equal(store.token(), 'a');
});
