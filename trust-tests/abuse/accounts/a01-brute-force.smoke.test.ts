import { abuse } from '../../testing/abuse.ts';
import { logIn, newAccount } from '../../testing/account.ts';
import { asJson, call, refused } from '../../testing/call.ts';
import { times } from '../../testing/full.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { counts } from '../../testing/tell.ts';

const tries = times(100, 10_000);
counts({ made: tries, wanted: 10_000, what: 'logins' });

/** Moves the end of the open rate limit windows a day ahead, so that none ends during the tries. */
const endsLater = `update rate_limits set resets_at = now() + interval '1 day'`;

const bystander = '127.0.0.77';

abuse(
  'A1',
  'after ten failed logins in a minute, an account’s logins get 429 before the password is checked',
  async (t) => {
    const { origin, sql } = await serve(t, { rateLimit: 'on' });
    const victim = await newAccount(origin);
    const other = await newAccount(origin);
    const statuses: number[] = [];
    // Each guess comes from another address, so that only the account's limit applies.
    const guess = (index: number) => {
      const from = `127.0.${1 + (index % 250)}.9`;
      return call(origin, '/api/auth/login', { ...asJson({ ...victim, password: `guess number ${index}` }), from });
    };
    for (let index = 0; index < tries; index += 1) {
      statuses.push((await guess(index)).status);
      if (index === 0) await sql(endsLater);
    }
    const looked = statuses.filter((status) => status === 401).length;
    t.same(statuses, [...Array(10).fill(401), ...Array(tries - 10).fill(429)]);
    measured('G14', { part: 'account', seen: `${looked} of ${tries} tries`, held: looked <= 10 });
    await sql(`update rate_limits set resets_at = now() + interval '1 minute'`);
    const last = await guess(tries);
    refused(t, last, 429, 'a further try');
    t.match(last.headers['retry-after'], /^[1-9]\d?$/);
    const right = await call(origin, '/api/auth/login', { ...asJson(victim), from: bystander });
    t.equal(right.status, 429, 'even the right password is not checked');
    t.ok((await logIn(origin, other, bystander)).token, 'other accounts can log in');
    await sql(`update rate_limits set resets_at = now() - interval '1 second'`);
    t.ok((await logIn(origin, victim, bystander)).token, 'the victim can log in after the minute');
  },
);
