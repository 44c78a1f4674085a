/** Which routes have a limit, by the server's own list of them. */
import type { RouteOptions } from 'fastify';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];
/** Changes nothing: it leads to the upload page. */
const withoutChange = ['POST /share'];

const callsOf = ({ method, url }: RouteOptions) => [method].flat().map((each) => `${each} ${url}`);

t.test('every route that changes something has a limit', async (t) => {
  const routes: RouteOptions[] = [];
  await buildTestApp(t, { options: { onRoute: (route) => routes.push(route) } });
  const changing = routes.filter(({ method }) => [method].flat().some((each) => !reading.includes(each)));
  const unlimited = changing.filter(({ config }) => !config || !('rateLimit' in config)).flatMap(callsOf);
  t.same(unlimited, withoutChange);
  t.ok(changing.length >= 25, `${changing.length} routes of change were seen`);
});

t.test('changes beyond the limit of an account are refused, and those of another are not', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const [one, other] = [await signIn(app), await signIn(app)];
  const rename = async ({ bearer }: typeof one) => {
    return app.inject({ method: 'PATCH', url: '/api/images/none', headers: bearer, payload: { filename: 'a.png' } });
  };
  const calls: Awaited<ReturnType<typeof rename>>[] = [];
  // Fewer at once than one account may have in flight.
  for (const length of [300, 301]) calls.push(...(await Promise.all(Array.from({ length }, () => rename(one)))));
  const refused = calls.filter(({ statusCode }) => statusCode === 429);
  t.equal(refused.length, 1);
  t.match(refused[0]?.headers, { 'retry-after': /^\d+$/ });
  t.equal((await rename(other)).statusCode, 404);
});
