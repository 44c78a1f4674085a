/** One account sends as many expensive calls as it can; the tests measure what others notice. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RouteOptions } from 'fastify';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { type Answer, asJson, type Call, call, leakIn } from '../../testing/call.ts';
import { hostileCalls, type Route } from '../../testing/load/hostile-calls.ts';
import { hostileLoad } from '../../testing/load/hostile-load.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { median } from '../../testing/median.ts';
import { startServer } from '../../testing/server-process.ts';

const seconds = 30;
/** How much longer than in a quiet time a call may take, as a factor; below `floor` milliseconds noise dominates. */
const most = 4;
const floor = 25;
/** Milliseconds allowed at the 95th percentile. */
const longest = 500;

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

abuse('A33', 'an account that sends the most expensive calls does not delay others', async (t) => {
  t.setTimeout(300_000);
  const server = await startServer(t);
  const { origin } = server;
  const [victim, attacker] = [await newAccount(origin), await newAccount(origin)];
  const [image] = await store(origin, victim, [{ name: 'mine.png', bytes: await picture() }]);
  // Each login ends the oldest session of its account, so the logins use another account.
  const { email, password } = await newAccount(origin);
  const { bearer } = victim;
  const calls = {
    list: () => call(origin, '/api/images/', { headers: bearer }),
    sessions: () => call(origin, '/api/account/sessions', { headers: bearer }),
    search: () => call(origin, '/api/images/?search=mine%20type:png', { headers: bearer }),
    login: () => call(origin, '/api/auth/login', asJson({ email, password })),
    readiness: () => call(origin, '/api/health/ready'),
    link: () => call(origin, `${pathOf(image?.url)}?${Math.random()}`),
  };
  type Times = Record<keyof typeof calls, number[]>;
  /** Repeats the victim's calls. @returns the milliseconds of each */
  async function timesOf(ms: number): Promise<Times> {
    const times: Times = { list: [], sessions: [], search: [], login: [], readiness: [], link: [] };
    const end = performance.now() + ms;
    while (performance.now() < end) {
      for (const [name, make] of Object.entries(calls)) {
        const start = performance.now();
        const { status } = await make();
        times[name as keyof Times].push(performance.now() - start);
        if (status !== 200) t.fail(`${name} answered ${status}`);
        await pause(20);
      }
    }
    return times;
  }
  await timesOf(1000);
  const before = await timesOf(4000);
  const load = await hostileLoad({ origin, databaseUrl: server.databaseUrl }, attacker);
  const under = await timesOf(seconds * 1000);
  const statuses = await load.stop();
  const after = await timesOf(4000);
  for (const name of Object.keys(calls) as (keyof Times)[]) {
    const quiet = median([...before[name], ...after[name]]);
    const [usual, late] = [median(under[name]), percentile(under[name], 0.95)];
    const told = `${name}: ${usual.toFixed(0)} ms, p95 ${late.toFixed(0)} ms; quiet ${quiet.toFixed(0)} ms`;
    t.comment(`${told}, ${under[name].length} calls`);
    t.ok(usual <= Math.max(most * quiet, floor), told);
    t.ok(late <= Math.max(2 * most * quiet, longest), told);
  }
  t.comment(`the attacker was answered ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}`);
  const made = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  t.ok(made >= 0.8 * 50 * seconds, `${made} hostile calls were answered`);
  // The number of refusals depends on the machine: server/http/limits/fair-share.test.ts tests the refusals.
  t.same(
    [...statuses.keys()].filter((status) => status >= 500 && status !== 503),
    [],
  );
});

/** Statuses of overload; each needs a Retry-After header. */
const busy = [429, 503];

/** @returns what is wrong with an answer to a malformed call; undefined for a correct refusal */
function faultOf({ status, headers, body }: Answer): string | undefined {
  if (status >= 500 && !busy.includes(status)) return `answered ${status}`;
  if (busy.includes(status) && !headers['retry-after']) return `answered ${status} without Retry-After`;
  const told = status >= 400 ? leakIn({ body }) : undefined;
  return told === undefined ? undefined : `reveals ${told}`;
}

abuse('A33', 'every route refuses malformed calls while the server is under hostile load', async (t) => {
  t.setTimeout(580_000);
  const routes: Route[] = [];
  const onRoute = ({ method, url }: RouteOptions) =>
    routes.push(...[method].flat().map((each) => ({ method: each, url })));
  const { app, config, origin } = await serve(t, { expected: busy, options: { onRoute } });
  const [owner, attacker] = [await newAccount(origin), await newAccount(origin)];
  const [image] = await store(origin, owner, [{ name: 'mine.png', bytes: await picture() }]);
  const own = (path: string, more: Call = {}) =>
    call(origin, path, { ...more, headers: { ...more.headers, ...owner.bearer } });
  const { album } = JSON.parse((await own('/api/albums/', asJson({ name: 'Mine' }))).body);
  await own(`/api/albums/${album.id}/images`, asJson({ ids: [image?.id] }));
  const { sessions } = JSON.parse((await own('/api/account/sessions')).body);
  const known = [String(image?.id), album.id, sessions[0].id] as string[];

  const faults: string[] = [];
  const load = await hostileLoad({ origin, databaseUrl: config.databaseUrl ?? '' }, attacker, (answer) => {
    const fault = faultOf(answer);
    if (fault) faults.push(`the load: ${fault}`);
  });
  // The page's static files have many routes that are all alike.
  const dynamic = routes.filter(({ url }) => /^\/(?:api|i|a|share)(?:\/|$)/.test(url));
  let made = 0;
  let cut = 0;
  for (const route of dynamic) {
    const about = `${route.method} ${route.url}`;
    const other = await newAccount(origin);
    for (const who of [{}, other.bearer]) {
      for (const { path, headers, ...more } of hostileCalls(route, known)) {
        made += 1;
        const answer = await call(origin, path, { ...more, headers: { ...who, ...headers } }).catch(() => undefined);
        if (answer === undefined) cut += 1;
        const fault = answer && faultOf(answer);
        if (fault) faults.push(`${about}: ${fault}, at ${path.slice(0, 80)} ${String(more.body ?? '').slice(0, 60)}`);
        if (answer && answer.status < 300 && known.some((id) => path.includes(id))) {
          faults.push(`${about}: ${answer.status} for another user’s id, at ${path.slice(0, 80)}`);
        }
      }
    }
  }
  const statuses = await load.stop();
  t.same(faults.slice(0, 20), []);
  t.ok(dynamic.length >= 45, `${dynamic.length} routes`);
  t.ok(cut <= made / 50, `${cut} of ${made} calls were cut`);
  t.comment(`${made} calls to ${dynamic.length} routes; the load: ${JSON.stringify([...statuses])}`);
  t.equal((await own('/api/images/')).status, 200);
  t.match(JSON.parse((await own(`/api/albums/${album.id}`)).body), { album: { name: 'Mine', count: 1 } });
  t.equal(({} as { admin?: boolean }).admin, undefined, 'Object.prototype is unchanged');
  t.equal((await app.inject('/api/health/ready')).statusCode, 200);
});
