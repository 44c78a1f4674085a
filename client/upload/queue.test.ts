import t from 'tap';
import { createSessionStore } from '../session/session-store.ts';
import { fileOf, imageOf } from '../testing/files.ts';
import { followOwner } from './owner.ts';
import { createQueue, type QueueStorage, type Value } from './queue.ts';
import { createUploader } from './uploader.ts';

/** What the pages of one browser share: what is stored, and a lock that goes to the next page once its holder is closed. */
function browser({ locks = true } = {}) {
  const values = new Map<string, Value>();
  const local = new Map<string, string>();
  const waiting: (() => void)[] = [];
  let held = false;
  const grant = (): void => {
    const next = waiting.shift();
    held = next !== undefined;
    next?.();
  };
  return {
    values,
    local: {
      getItem: (key: string) => local.get(key) ?? null,
      setItem: (key: string, value: string) => void local.set(key, value),
      removeItem: (key: string) => void local.delete(key),
    },
    takeTurn(): Promise<void> {
      if (!locks) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (!held) grant();
      });
    },
    release: grant,
  };
}

let pages = 0;

/** A page of a browser, with whom it finds logged in. Its requests are never answered, save by the test. */
function open({ values, local, takeTurn, release }: ReturnType<typeof browser>) {
  let closed = false;
  const writes: string[] = [];
  const write = async (work: () => void): Promise<void> => {
    if (!closed) work();
  };
  const storage: QueueStorage = {
    entries: async () => [...values],
    setMany: (entries) =>
      write(() => {
        for (const [key, value] of entries) {
          writes.push(key);
          values.set(key, value);
        }
      }),
    delMany: (keys) =>
      write(() => {
        for (const key of keys) values.delete(key);
      }),
  };
  const sent: { names: string[]; keys: (string | undefined)[]; store: () => void }[] = [];
  const uploader = createUploader({
    now: () => 0,
    pageKey: `page${++pages}`,
    isOnline: () => true,
    isThere: async () => true,
    wait: () => new Promise(() => undefined),
    send: (items) =>
      new Promise((resolve) => {
        const names = items.map(({ file }) => file.name);
        sent.push({
          names,
          keys: items.map(({ key }) => key),
          store: () => resolve({ images: names.map((name) => imageOf(name)), rejected: [] }),
        });
      }),
    sendInPieces: () => new Promise(() => undefined),
    explain: (error) => {
      throw error;
    },
    unexplained: '',
    unreadable: '',
    isReadable: async () => true,
    abandon: () => undefined,
  });
  const session = createSessionStore(local);
  const keep = createQueue(storage, takeTurn);
  followOwner(uploader, session, (owner, signal) => keep(uploader, owner, signal));
  return {
    uploader,
    session,
    writes,
    sent: () => sent.map(({ names }) => names),
    keys: () => sent.map(({ keys }) => keys),
    storeFirst: () => sent[0]?.store(),
    names: () => uploader.getState().files.map(({ file }) => file.name),
    close(): void {
      closed = true;
      release();
    },
  };
}

const userOf = (id: string) => ({ id, username: id, email: '', created_at: '' });
const loginOf = (id: string) => ({ access_token: `token of ${id}`, user: userOf(id) });
/** Until nothing that was begun has anything left to do. */
const settled = () => new Promise(setImmediate);

const signedIn = (options?: { locks: boolean }) => {
  const shared = browser(options);
  createSessionStore(shared.local).start(loginOf('a'));
  return shared;
};

t.test('what was being sent goes on after a reload; what was chosen meanwhile waits for its own press', async (t) => {
  const shared = signedIn();
  const first = open(shared);
  await settled();
  first.uploader.add([fileOf('a.png'), fileOf('b.png')]);
  first.uploader.start();
  first.uploader.add([fileOf('c.png')]);
  await settled();
  first.close();

  const again = open(shared);
  await settled();
  t.same(again.names(), ['a.png', 'b.png', 'c.png']);
  t.same(again.sent(), [['a.png', 'b.png']]);
  t.same(again.keys(), first.keys(), 'under the keys under which they may have been stored');
  t.same(
    again.uploader.getState().files.map(({ status }) => status),
    ['sending', 'sending', 'pending'],
  );
  again.storeFirst();
  await settled();
  t.same(again.names(), ['c.png']);
  again.close();
  const last = open(shared);
  await settled();
  t.same([last.names(), last.sent()], [['c.png'], []], 'and nobody sends it later either');
});

t.test('a tab that takes over sends what the first was sending, not what it was given itself', async (t) => {
  const shared = signedIn();
  const first = open(shared);
  const second = open(shared);
  await settled();
  first.uploader.add([fileOf('a.png')]);
  first.uploader.start();
  second.uploader.add([fileOf('own.png')]);
  await settled();
  first.close();
  await settled();
  t.same(second.names(), ['own.png', 'a.png']);
  t.same(second.sent(), [['a.png']]);
});

t.test('a tab that takes over while it sends sends the other’s too', async (t) => {
  const shared = signedIn();
  const first = open(shared);
  const second = open(shared);
  await settled();
  first.uploader.add([fileOf('a.png')]);
  first.uploader.start();
  second.uploader.add([fileOf('own.png')]);
  second.uploader.start();
  await settled();
  first.close();
  await settled();
  second.storeFirst();
  await settled();
  t.same(second.sent(), [['own.png'], ['a.png']]);
});

t.test('what was paused waits after a reload, whatever is sent then', async (t) => {
  const shared = signedIn();
  const first = open(shared);
  await settled();
  first.uploader.add([fileOf('a.png')]);
  first.uploader.start();
  first.uploader.pause();
  await settled();
  first.close();
  const again = open(shared);
  await settled();
  t.same([again.names(), again.sent()], [['a.png'], []]);
  again.close();
  t.notOk(
    [...shared.values].some(([key, value]) => key.endsWith('/sending') && value),
    'nor is it marked any more',
  );
});

for (const locks of [true, false]) {
  const how = locks ? 'in turn' : 'without locks';
  t.test(`whoever logs in next in the same page has a list that is kept too (${how})`, async (t) => {
    const shared = signedIn({ locks });
    const page = open(shared);
    await settled();
    page.uploader.add([fileOf('mine.png')]);
    await settled();
    page.session.end();
    await settled();
    t.notOk(
      [...shared.values.keys()].some((key) => key.endsWith('/file')),
      'the first one’s is forgotten',
    );
    for (const id of ['b', 'a']) {
      page.session.start(loginOf(id));
      await settled();
      page.uploader.add([fileOf(`${id}.png`)]);
      await settled();
      t.equal(
        page.writes.filter((key) => key.startsWith(`${id}/`) && key.endsWith('/file')).length,
        id === 'a' ? 2 : 1,
      );
      if (id === 'b') page.session.end();
    }
    page.close();
    const again = open(shared);
    await settled();
    t.same(again.names(), ['a.png']);
  });
}

t.test('the list of an expired session is there for its owner, after somebody else was logged in too', async (t) => {
  const shared = signedIn();
  const page = open(shared);
  await settled();
  page.uploader.add([fileOf('mine.png')]);
  await settled();
  page.session.expire('token of a');
  page.session.start(loginOf('b'));
  await settled();
  t.same(page.names(), []);
  page.uploader.add([fileOf('theirs.png')]);
  page.session.expire('token of b');
  page.session.start(loginOf('a'));
  await settled();
  t.same(page.names(), ['mine.png']);
});

t.test('a mark without its file marks no later file', async (t) => {
  const shared = signedIn();
  shared.values.set('a/00000001/sending', true);
  shared.values.set('a/00000001/url', '/api/uploads/old');
  shared.values.set('a/running', true);
  const page = open(shared);
  await settled();
  page.uploader.add([fileOf('new.png')]);
  await settled();
  page.close();
  const again = open(shared);
  await settled();
  t.same(again.sent(), []);
  t.equal(again.uploader.getState().files[0]?.url, undefined);
});
