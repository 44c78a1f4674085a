import t from 'tap';
import type { ImageRow } from '../../../drizzle/schema.ts';
import { createCachedLinks } from './cached-links.ts';

const [one, other] = ['a'.repeat(22), 'b'.repeat(22)];

/** Cached links with simulated notifications. */
function watch() {
  let listener: { onNotification: (payload: string) => void; onGap: () => void } | undefined;
  const links = createCachedLinks({
    size: 1_000_000,
    subscribe: (notices) => {
      listener = notices;
      return { isLive: () => true };
    },
  });
  let lookups = 0;
  const find = async (linkKey: string) => {
    lookups += 1;
    return { linkKey } as ImageRow;
  };
  const isKept = async (linkKey: string) => {
    const before = lookups;
    await links.row(linkKey, () => find(linkKey));
    return lookups === before;
  };
  return { notify: (payload: string) => listener?.onNotification(payload), gap: () => listener?.onGap(), isKept };
}

for (const [word, change, left] of [
  ['a notification of one link', ({ notify }) => notify(one), true],
  ['a notification of several links', ({ notify }) => notify(`${other} ${one}`), false],
  ['a notification of all links', ({ notify }) => notify('*'), false],
  ['a gap in notifications', ({ gap }) => gap(), false],
] as [string, (watched: ReturnType<typeof watch>) => void, boolean][]) {
  t.test(`${word} removes the affected links from the cache`, async (t) => {
    const watched = watch();
    for (const key of [one, other]) t.equal(await watched.isKept(key), false);
    for (const key of [one, other]) t.equal(await watched.isKept(key), true);
    change(watched);
    t.equal(await watched.isKept(one), false);
    t.equal(await watched.isKept(other), left);
  });
}
