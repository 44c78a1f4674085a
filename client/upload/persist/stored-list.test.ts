import t from 'tap';
import { createSessionStore } from '../../session/session-store.ts';
import { fileOf, imageOf } from '../../testing/files.ts';
import type { Environment, OnSent } from '../send/environment.ts';
import type { JobParts } from '../send/upload-job.ts';
import { sendWaiting } from '../send/upload-loop.ts';
import { createUploader } from '../uploader.ts';
import { followOwner } from './owner.ts';
import { createStoredList, type ListStorage, type Value } from './stored-list.ts';

/** What the pages of one browser share: the storage, and a lock that passes to the next page when its holder closes. */
function browser({ locks = true } = {}) {
  const values = new Map<string, Value>();
  const local = new Map<string, string>();
  /** By owner, those that wait for the page that has the turn. */
  const turns = new Map<string, (() => void)[]>();
  const release = (): void => {
    for (const [owner, [next, ...others]] of [...turns]) {
      if (next) turns.set(owner, others);
      else turns.delete(owner);
      next?.();
    }
  };
  return {
    values,
    local: {
      getItem: (key: string) => local.get(key) ?? null,
      setItem: (key: string, value: string) => void local.set(key, value),
      removeItem: (key: string) => void local.delete(key),
    },
    takeTurn(owner: string): Promise<void> {
      if (!locks) return Promise.resolve();
      return new Promise((resolve) => {
        const waiting = turns.get(owner);
        if (waiting) waiting.push(resolve);
        else {
          turns.set(owner, []);
          resolve();
        }
      });
    },
    release,
  };
}

let pages = 0;

/** A page with the browser's login. Only the test answers its requests. */
function open({ values, local, takeTurn, release }: ReturnType<typeof browser>) {
  let closed = false;
  const writes: string[] = [];
  const write = async (work: () => void): Promise<void> => {
    if (!closed) work();
  };
  let transactions = 0;
  const storage: ListStorage = {
    read: async (prefix) =>
      [...values].filter(([key]) => key.startsWith(prefix)).sort(([one], [other]) => (one < other ? -1 : 1)),
    write: (entries, removed) =>
      write(() => {
        transactions += 1;
        for (const [first, last] of removed)
          for (const key of values.keys()) if (first <= key && key <= last) values.delete(key);
        for (const [key, value] of entries) {
          writes.push(key);
          if (value === undefined) values.delete(key);
          else values.set(key, value);
        }
      }),
  };
  const sent: { names: string[]; keys: (string | undefined)[]; store: () => void; onSent: OnSent }[] = [];
  const environment: Environment = {
    now: () => 0,
    pageKey: `page${++pages}`,
    isOnline: () => true,
    isReady: async () => true,
    wait: () => new Promise(() => undefined),
    sendForm: (items, onSent, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        const names = items.map(({ file }) => file.name);
        sent.push({
          names,
          keys: items.map(({ key }) => key),
          onSent,
          store: () => resolve({ images: names.map((name) => imageOf(name)), rejected: [] }),
        });
      }),
    sendResumable: () => new Promise(() => undefined),
    explain: (error) => {
      throw error;
    },
    isReadable: async () => true,
  };
  const parts: JobParts = {
    now: environment.now,
    painted: async () => undefined,
    loadSender: async () => (store, plan, signals) => sendWaiting(store, environment, plan, signals),
  };
  const uploader = createUploader(parts, () => undefined);
  const session = createSessionStore(local);
  const keep = createStoredList(storage, takeTurn, queueMicrotask);
  followOwner(uploader, session, (owner, signal) => keep(uploader, owner, signal));
  return {
    uploader,
    session,
    writes,
    transactions: () => transactions,
    sent: () => sent.map(({ names }) => names),
    keys: () => sent.map(({ keys }) => keys),
    storeFirst: () => sent[0]?.store(),
    progress: (loaded: number, total: number) => sent[0]?.onSent(loaded, total),
    names: () => uploader.getState().files.map(({ file }) => file.name),
    close(): void {
      closed = true;
      release();
    },
  };
}

const userOf = (id: string) => ({ id, username: id, email: '', created_at: '' });
const loginOf = (id: string) => ({ access_token: `token of ${id}`, user: userOf(id) });
/** Waits until all started work is done. */
const settled = () => new Promise(setImmediate);

const signedIn = (options?: { locks: boolean }) => {
  const shared = browser(options);
  createSessionStore(shared.local).start(loginOf('a'));
  return shared;
};

/** Opens a page and waits until it has restored its list. */
async function opened(shared: ReturnType<typeof browser>) {
  const page = open(shared);
  await settled();
  return page;
}

/** Two tabs: the first sends a.png, and the second has listed own.png. */
async function twoTabs() {
  const shared = signedIn();
  const [first, second] = [await opened(shared), await opened(shared)];
  first.uploader.add([fileOf('a.png')]);
  first.uploader.start();
  second.uploader.add([fileOf('own.png')]);
  return { first, second };
}

t.test('an interrupted upload resumes after a reload; files added meanwhile wait for Upload', async (t) => {
  const shared = signedIn();
  const first = await opened(shared);
  first.uploader.add([fileOf('a.png'), fileOf('b.png')]);
  first.uploader.start();
  first.uploader.add([fileOf('c.png')]);
  await settled();
  first.close();

  const again = await opened(shared);
  t.same(again.names(), ['a.png', 'b.png', 'c.png']);
  t.same(again.sent(), [['a.png', 'b.png']]);
  t.same(again.keys(), first.keys(), 'with the keys of the first attempt');
  t.same(
    again.uploader.getState().files.map(({ status }) => status),
    ['sending', 'sending', 'pending'],
  );
  again.storeFirst();
  await settled();
  t.same(again.names(), ['c.png']);
  again.close();
  const last = await opened(shared);
  t.same([last.names(), last.sent()], [['c.png'], []], 'a later page does not send it either');
});

t.test('a tab that takes over sends the files of the closed tab, not its own unsent ones', async (t) => {
  const { first, second } = await twoTabs();
  await settled();
  first.close();
  await settled();
  t.same(second.names(), ['own.png', 'a.png']);
  t.same(second.sent(), [['a.png']]);
});

t.test('a tab that takes over during its own upload sends the other tab’s files too', async (t) => {
  const { first, second } = await twoTabs();
  second.uploader.start();
  await settled();
  first.close();
  await settled();
  second.storeFirst();
  await settled();
  t.same(second.sent(), [['own.png'], ['a.png']]);
});

t.test('a paused upload waits after a reload', async (t) => {
  const shared = signedIn();
  const first = await opened(shared);
  first.uploader.add([fileOf('a.png')]);
  first.uploader.start();
  first.uploader.pause();
  await settled();
  first.close();
  const again = await opened(shared);
  t.same([again.names(), again.sent()], [['a.png'], []]);
  again.close();
  t.notOk(
    [...shared.values].some(([key, value]) => key.endsWith('/sending') && `${value}` !== ''),
    'it is no longer marked as sending',
  );
});

for (const locks of [true, false]) {
  const how = locks ? 'in turn' : 'without locks';
  t.test(`the next account in the same page has its list kept too (${how})`, async (t) => {
    const shared = signedIn({ locks });
    const page = await opened(shared);
    page.uploader.add([fileOf('mine.png')]);
    await settled();
    page.session.end();
    await settled();
    t.notOk(
      [...shared.values.keys()].some((key) => key.endsWith('/file')),
      'the first account’s list is deleted',
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
    const again = await opened(shared);
    t.same(again.names(), ['a.png']);
  });
}

t.test('an expired session’s list is restored for its owner, even after another account’s login', async (t) => {
  const shared = signedIn();
  const page = await opened(shared);
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

t.test('what changed right before the session expired is stored, and not emptied by the next account', async (t) => {
  const shared = signedIn();
  const page = await opened(shared);
  page.uploader.add([fileOf('a.png')]);
  page.session.expire('token of a');
  page.session.start(loginOf('b'));
  await settled();
  t.same(page.names(), []);
  page.close();
  createSessionStore(shared.local).start(loginOf('a'));
  t.same((await opened(shared)).names(), ['a.png']);
});

t.test('a stored mark without its file does not apply to a later file', async (t) => {
  const shared = signedIn();
  shared.values.set('a/sending', [1, 1]);
  shared.values.set('a/00000001/url', '/api/uploads/old');
  const page = await opened(shared);
  page.uploader.add([fileOf('new.png')]);
  await settled();
  page.close();
  const again = await opened(shared);
  t.same(again.sent(), []);
  t.equal(again.uploader.getState().files[0]?.url, undefined);
});

t.test('a change of thousands of files is one transaction with few entries', async (t) => {
  const shared = signedIn();
  const page = await opened(shared);
  const added = new Promise<void>((resolve) => {
    page.uploader.onEvent(({ kind }) => kind === 'added' && resolve());
  });
  page.uploader.add(Array.from({ length: 5000 }, (_, index) => fileOf(`${index}.png`)));
  await added;
  while ([...shared.values.keys()].filter((key) => key.endsWith('/file')).length < 5000) await settled();
  const during = async (work: () => void) => {
    const before = [page.transactions(), page.writes.length] as const;
    work();
    await settled();
    const now = [page.transactions() - before[0], page.writes.length - before[1]];
    return now;
  };
  t.same(await during(page.uploader.start), [2, 101], 'one for all files, then the keys of the first request');
  t.same(await during(page.uploader.cancel), [1, 1], 'Cancel removes one mark');
  t.same(await during(page.uploader.clear), [1, 0], 'Clear all removes a range');
  t.notOk([...shared.values.keys()].some((key) => /\/\d{8}\//.test(key)));
});

t.test('progress writes nothing', async (t) => {
  const shared = signedIn();
  const page = await opened(shared);
  page.uploader.add([fileOf('a.png', 100), fileOf('b.png', 100)]);
  page.uploader.start();
  await settled();
  const before = page.transactions();
  page.progress(150, 200);
  t.equal(page.uploader.getState().progress.get(2)?.sent, 50);
  t.equal(page.transactions(), before);
});

t.test('removed files leave the others stored', async (t) => {
  const shared = signedIn();
  const first = await opened(shared);
  first.uploader.add(['a', 'b', 'c', 'd', 'e'].map((name) => fileOf(`${name}.png`)));
  await settled();
  for (const id of [2, 3, 5]) first.uploader.remove(id);
  await settled();
  first.close();
  const again = await opened(shared);
  t.same(again.names(), ['a.png', 'd.png']);
});
