import { stat } from 'node:fs/promises';
import t from 'tap';
import { newAccount } from '../testing/account.ts';
import { asJson, call } from '../testing/call.ts';
import { oneHash, watchHashes } from '../testing/hashes.ts';
import { serve } from '../testing/machine/loopback.ts';
import { measured } from '../testing/measured.ts';
import { median } from '../testing/median.ts';

const logins = 100;

t.test('a storm of logins does not delay file access', async (t) => {
  const { origin, dataDir } = await serve(t);
  const { email, password } = await newAccount(origin);
  const hashes = watchHashes(t);
  /** @returns the milliseconds of the longest `stat` in the server's own process */
  async function longestWait(): Promise<number> {
    let longest = 0;
    let storming = true;
    const look = async () => {
      while (storming) {
        const start = performance.now();
        await stat(dataDir);
        longest = Math.max(longest, performance.now() - start);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const looking = look();
    const all = Array.from({ length: logins }, () => call(origin, '/api/auth/login', asJson({ email, password })));
    for (const { status } of await Promise.all(all)) t.equal(status, 200);
    storming = false;
    await looking;
    return longest;
  }
  const alone = median([await oneHash(), await oneHash(), await oneHash(), await oneHash(), await oneHash()]);
  let least = Number.POSITIVE_INFINITY;
  // The machine's own delays only add.
  for (let attempt = 0; attempt < 3 && least > 200; attempt += 1) least = Math.min(least, await longestWait());
  // With all hashes on libuv's four threads, a file access waits for about 25 hashes, on two cores for 50.
  t.ok(least <= 10 * alone, `${least.toFixed(0)} ms, a hash ${alone.toFixed(0)} ms`);
  const atOnce = hashes.atOnce();
  t.ok(atOnce >= 1 && atOnce <= 2, `${atOnce} hashes at once`);
  measured('G14', { part: 'hashes', seen: `${atOnce} at once of ${logins}`, held: atOnce >= 1 && atOnce <= 2 });
  measured('G14', {
    part: 'wait',
    seen: `${least.toFixed(0)} ms`,
    held: least <= 200,
    ...(alone > 100 ? { unsure: `a single hash takes ${alone.toFixed(0)} ms` } : {}),
  });
});
