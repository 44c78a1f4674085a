import type { Test } from 'tap';
import { abuse } from '../testing/abuse.ts';
import { newAccount, randomCredentials } from '../testing/account.ts';
import { asJson, call } from '../testing/call.ts';
import { slack, times } from '../testing/full.ts';
import { serve } from '../testing/loopback.ts';
import { measured } from '../testing/measured.ts';

const rounds = times(60, 200);

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Milliseconds that one kind of call takes longer than the other: the median of the differences of pairs, each made one
 * right after the other and in changing order, so that a busy machine slows both.
 */
async function gap(known: () => Promise<unknown>, unknown: () => Promise<unknown>): Promise<number> {
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const differences: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [known, unknown] : [unknown, known];
    const difference = (await timed(first)) - (await timed(second));
    differences.push(round % 2 === 0 ? difference : -difference);
  }
  return Math.abs(median(differences));
}

/** The smallest of up to three measurements: noise of the machine only ever makes a gap larger. */
async function holds(t: Test, part: string, measure: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least > 5; attempt += 1) least = Math.min(least, await measure());
  t.ok(least <= 5 * slack, `${least.toFixed(2)} ms`);
  measured('G15', { part, seen: `${least.toFixed(1)} ms over ${rounds}`, held: least <= 5 });
}

abuse('A3', 'a login takes as long for an unknown email as for a wrong password, and says the same', async (t) => {
  const { origin } = await serve(t);
  const { email } = await newAccount(origin);
  const guess = (name: string) => call(origin, '/api/auth/login', asJson({ email: name, password: 'not this one' }));
  const [known, unknown] = [await guess(email), await guess('nobody@example.com')];
  t.equal(known.status, 401);
  t.equal(unknown.status, 401);
  t.equal(known.body, unknown.body);
  await holds(t, 'login', () =>
    gap(
      () => guess(email),
      () => guess('nobody@example.com'),
    ),
  );
});

abuse('A3', 'a registration takes as long for a taken name as for a free one', async (t) => {
  const { origin } = await serve(t);
  const taken = randomCredentials();
  await newAccount(origin, taken);
  const register = (who: object) => call(origin, '/api/auth/register', asJson(who));
  await holds(t, 'register', () =>
    gap(
      () => register(taken),
      () => register(randomCredentials()),
    ),
  );
});
