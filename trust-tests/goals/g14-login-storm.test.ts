import { stat } from 'node:fs/promises';
import t from 'tap';
import { newAccount } from '../testing/account.ts';
import { asJson, call } from '../testing/call.ts';
import { slack } from '../testing/full.ts';
import { serve } from '../testing/loopback.ts';
import { measured } from '../testing/measured.ts';

t.test('a storm of logins keeps nobody waiting for the disk', async (t) => {
  const { origin, dataDir } = await serve(t);
  const { email, password } = await newAccount(origin);
  /** Milliseconds that the longest look at a file took, in the server's own process. */
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
    const logins = Array.from({ length: 100 }, () => call(origin, '/api/auth/login', asJson({ email, password })));
    for (const { status } of await Promise.all(logins)) t.equal(status, 200);
    storming = false;
    await looking;
    return longest;
  }
  let least = Number.POSITIVE_INFINITY;
  // The machine's own waits only ever add.
  for (let attempt = 0; attempt < 3 && least > 200; attempt += 1) least = Math.min(least, await longestWait());
  t.ok(least <= 200 * slack, `${least.toFixed(0)} ms`);
  measured('G14', { part: 'storm', seen: `${least.toFixed(0)} ms`, held: least <= 200 });
});
