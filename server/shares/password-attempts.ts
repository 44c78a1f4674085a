import type { Database } from '../database/connect.ts';
import { clientKey } from '../http/limits/address.ts';
import { tooManyRequests } from '../http/limits/rate-limit.ts';
import { countAttempt, readAttempts, uncountAttempt } from '../http/limits/rate-limit-queries.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';

const minute = 60_000;
/** Wrong passwords a minute for a link, from all addresses together. */
const usual = 10;
/** Wrong passwords a minute for a link that an address may give beyond them: callers who keep a link at its limit do not lock others out. */
const ofAddress = 3;
/** Wrong passwords a minute for a link, with those of such addresses. */
const most = 100;

const isSpent = (all: number, own: number): boolean => all > most || (all > usual && own > ofAddress);

/**
 * Limits wrong passwords. Attempts of one link run one at a time and are counted in advance, so neither parallel requests
 * nor several servers exceed the limit.
 */
export function createPasswordAttempts(db: Database) {
  const inMutex = createKeyedMutex();

  /** @throws TooManyRequests */
  return (link: string, ip: string, check: () => Promise<boolean>): Promise<boolean> =>
    inMutex(link, async () => {
      const own = `${link}:${clientKey(ip)}`;
      const [all, mine] = await Promise.all([readAttempts(db, link), readAttempts(db, own)]);
      if (isSpent(all.count + 1, mine.count + 1)) throw tooManyRequests(all.msLeft);
      const [allNow, mineNow] = await Promise.all([countAttempt(db, link, minute), countAttempt(db, own, minute)]);
      if (isSpent(allNow.count, mineNow.count)) throw tooManyRequests(allNow.msLeft);
      let isRight = true;
      try {
        isRight = await check();
        return isRight;
      } finally {
        if (isRight) await Promise.all([uncountAttempt(db, link), uncountAttempt(db, own)]);
      }
    });
}
