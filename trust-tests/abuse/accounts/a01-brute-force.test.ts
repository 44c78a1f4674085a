import { abuse } from '../../testing/abuse.ts';
import { logIn, newAccount } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { times } from '../../testing/full.ts';
import { watchHashes } from '../../testing/hashes.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';

const names = times(80, 1000);

/** Moves the end of the open rate limit windows a day ahead, so that none ends during the tries. */
const endsLater = `update rate_limits set resets_at = now() + interval '1 day'`;

const attacker = '127.0.0.66';
const bystander = '127.0.0.77';

abuse('A1', 'a rejected login computes no password hash', async (t) => {
  const { origin, sql } = await serve(t, { rateLimit: 'on' });
  const { email } = await newAccount(origin);
  const guess = () => call(origin, '/api/auth/login', asJson({ email, password: 'a wrong password' }));
  const hashes = watchHashes(t);
  t.equal(await hashes.during(guess), 1);
  await sql(endsLater);
  const more = async (count: number) => {
    for (let index = 0; index < count; index += 1) await guess();
  };
  t.equal(await hashes.during(() => more(9)), 9);
  t.equal(await hashes.during(() => more(30)), 0);
});

abuse('A1', 'one password tried on many accounts gets 429 after sixty tries from one address', async (t) => {
  const { origin, sql } = await serve(t, { rateLimit: 'on' });
  const account = await newAccount(origin);
  const statuses: number[] = [];
  for (let index = 0; index < names; index += 1) {
    const tried = asJson({ email: `somebody-${index}@example.com`, password: 'Summer2026!' });
    statuses.push((await call(origin, '/api/auth/login', { ...tried, from: attacker })).status);
    if (index === 0) await sql(endsLater);
  }
  const looked = statuses.filter((status) => status === 401).length;
  t.same(statuses, [...Array(60).fill(401), ...Array(names - 60).fill(429)]);
  measured('G14', { part: 'address', seen: `${looked} of ${names} tries`, held: looked <= 60 });
  t.ok((await logIn(origin, account, bystander)).token, 'another address is not affected');
});
