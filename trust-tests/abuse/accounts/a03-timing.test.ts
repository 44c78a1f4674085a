import type { Test } from 'tap';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, randomCredentials } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { times } from '../../testing/full.ts';
import { oneHash, watchHashes } from '../../testing/hashes.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { median } from '../../testing/median.ts';

const rounds = times(40, 200);

type Work = () => Promise<unknown>;
type Gap = {
  /** Milliseconds that one kind of call takes longer than the other. */
  gap: number;
  /** Milliseconds of one password hash: the gap to expect if only one kind computes a hash. */
  hash: number;
};

/** Measures alternating pairs in changing order, so that a busy machine slows both. @returns the median difference */
async function measure(known: Work, unknown: Work): Promise<Gap> {
  const timed = async (work: Work) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const differences: number[] = [];
  const hashes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [known, unknown] : [unknown, known];
    const difference = (await timed(first)) - (await timed(second));
    differences.push(round % 2 === 0 ? difference : -difference);
    if (round % 3 === 0) hashes.push(await oneHash());
  }
  return { gap: Math.abs(median(differences)), hash: median(hashes) };
}

/** Uses the smallest of up to three measurements: noise only makes a gap larger. */
async function holds(t: Test, part: string, known: Work, unknown: Work): Promise<void> {
  let least: Gap = { gap: Number.POSITIVE_INFINITY, hash: 0 };
  for (let attempt = 0; attempt < 3 && least.gap > 5; attempt += 1) {
    const seen = await measure(known, unknown);
    if (seen.gap < least.gap) least = seen;
  }
  const told = `${least.gap.toFixed(1)} ms beside a hash of ${least.hash.toFixed(0)} ms`;
  t.ok(least.gap < least.hash / 3, told);
  const held = least.gap <= 5;
  // Measures the noise of this machine: two equal calls should not differ.
  const none = held ? 0 : (await measure(known, known)).gap;
  measured('G15', {
    part,
    seen: told,
    held,
    count: { made: rounds, wanted: 200, what: 'pairs' },
    ...(none > 2.5 ? { unsure: `calls that are the same differ by ${none.toFixed(1)} ms` } : {}),
  });
}

abuse(
  'A3',
  'a login with an unknown email takes as long and answers the same as one with a wrong password',
  async (t) => {
    const { origin } = await serve(t);
    const { email } = await newAccount(origin);
    const guess = (name: string) => call(origin, '/api/auth/login', asJson({ email: name, password: 'not this one' }));
    const [known, unknown] = [await guess(email), await guess('nobody@example.com')];
    t.equal(known.status, 401);
    t.equal(unknown.status, 401);
    t.equal(known.body, unknown.body);
    const hashes = watchHashes(t);
    t.equal(await hashes.during(() => guess(email)), 1, 'one hash for a wrong password');
    t.equal(await hashes.during(() => guess('nobody-else@example.com')), 1, 'one hash for an unknown email');
    await holds(
      t,
      'login',
      () => guess(email),
      () => guess('nobody@example.com'),
    );
  },
);

abuse('A3', 'a registration with a taken name takes as long as one with a free name', async (t) => {
  const { origin } = await serve(t);
  const taken = randomCredentials();
  await newAccount(origin, taken);
  const register = (who: object) => call(origin, '/api/auth/register', asJson(who));
  const hashes = watchHashes(t);
  t.equal(await hashes.during(() => register(randomCredentials())), 1, 'one hash for a free name');
  t.equal(await hashes.during(() => register(taken)), 1, 'one hash for a taken name');
  await holds(
    t,
    'register',
    () => register(taken),
    () => register(randomCredentials()),
  );
});
