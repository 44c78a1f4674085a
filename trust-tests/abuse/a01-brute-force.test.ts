import { abuse } from '../testing/abuse.ts';
import { logIn, newAccount } from '../testing/account.ts';
import { type Answer, asJson, call, refused } from '../testing/call.ts';
import { times } from '../testing/full.ts';
import { serve } from '../testing/loopback.ts';
import { measured } from '../testing/measured.ts';

const attacker = '127.0.0.66';
const bystander = '127.0.0.77';

abuse('A1', 'ten failures for one account a minute, then 429 before the password is looked at', async (t) => {
  const { origin, sql } = await serve(t, { rateLimit: 'on' });
  const victim = await newAccount(origin);
  const other = await newAccount(origin);
  const statuses: number[] = [];
  let last: Answer | undefined;
  for (let index = 0; index < times(100, 10_000); index += 1) {
    // Each from another address, so that the account's own limit is what counts.
    const from = `127.0.${1 + (index % 250)}.9`;
    last = await call(origin, '/api/auth/login', { ...asJson({ ...victim, password: `guess number ${index}` }), from });
    statuses.push(last.status);
  }
  const looked = statuses.filter((status) => status === 401).length;
  t.same([...new Set(statuses)], [401, 429]);
  t.ok(looked <= 10, `${looked} tries looked at a password`);
  measured('G14', { part: 'account', seen: `${looked} tries`, held: looked <= 10 });
  if (last) refused(t, last, 429, 'a further try');
  t.match(last?.headers['retry-after'], /^[1-9]\d?$/);
  const right = await call(origin, '/api/auth/login', { ...asJson(victim), from: bystander });
  t.equal(right.status, 429, 'even the right password is not looked at');
  t.ok((await logIn(origin, other, bystander)).token, 'others log in meanwhile');
  await sql(`update rate_limits set resets_at = now() - interval '1 second'`);
  t.ok((await logIn(origin, victim, bystander)).token, 'and the victim after the minute');
});

abuse('A1', 'a try that is refused costs no hash', async (t) => {
  const { origin } = await serve(t, { rateLimit: 'on' });
  const { email } = await newAccount(origin);
  const guess = () => call(origin, '/api/auth/login', asJson({ email, password: 'a wrong password' }));
  /** Microseconds of the processor, of all threads, for one call. */
  const cost = async (count: number) => {
    const before = process.cpuUsage();
    for (let index = 0; index < count; index += 1) await guess();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  const hashed = await cost(10);
  const spared = await cost(30);
  t.ok(spared < hashed / 2, `${spared.toFixed(0)} against ${hashed.toFixed(0)} microseconds`);
});

abuse('A1', 'one password over many accounts: sixty tries from one address, then 429', async (t) => {
  const { origin } = await serve(t, { rateLimit: 'on' });
  const account = await newAccount(origin);
  const statuses: number[] = [];
  for (let index = 0; index < times(80, 1000); index += 1) {
    const tried = asJson({ email: `somebody-${index}@example.com`, password: 'Summer2026!' });
    statuses.push((await call(origin, '/api/auth/login', { ...tried, from: attacker })).status);
  }
  const looked = statuses.filter((status) => status === 401).length;
  t.same([...new Set(statuses)], [401, 429]);
  t.ok(looked <= 60, `${looked} passwords were looked at`);
  measured('G14', { part: 'address', seen: `${looked} tries`, held: looked <= 60 });
  t.ok((await logIn(origin, account, bystander)).token, 'another address is not concerned');
});
