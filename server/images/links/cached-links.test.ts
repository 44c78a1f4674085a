import t from 'tap';
import type { ImageRow } from '../../../drizzle/schema.ts';
import { createCachedLinks } from './cached-links.ts';

const [one, other] = ['a'.repeat(22), 'b'.repeat(22)];

/** Links that are kept, and what the database would tell of them. */
function watch() {
  let told: { onNotice: (payload: string) => void; onGap: () => void } | undefined;
  const links = createCachedLinks({
    size: 1_000_000,
    subscribe: (notices) => {
      told = notices;
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
  return { tell: (payload: string) => told?.onNotice(payload), gap: () => told?.onGap(), isKept };
}

for (const [word, change, left] of [
  ['a notice of one', ({ tell }) => tell(one), true],
  ['a notice of several', ({ tell }) => tell(`${other} ${one}`), false],
  ['a notice of all', ({ tell }) => tell('*'), false],
  ['a gap', ({ gap }) => gap(), false],
] as [string, (watched: ReturnType<typeof watch>) => void, boolean][]) {
  t.test(`${word} makes links be looked up again`, async (t) => {
    const watched = watch();
    for (const key of [one, other]) t.equal(await watched.isKept(key), false);
    for (const key of [one, other]) t.equal(await watched.isKept(key), true);
    change(watched);
    t.equal(await watched.isKept(one), false);
    t.equal(await watched.isKept(other), left);
  });
}
