import type { RouteOptions } from 'fastify';
import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];
/** Only redirects to the upload page. */
const withoutChange = ['POST /share'];

const callsOf = ({ method, url }: RouteOptions) => [method].flat().map((each) => `${each} ${url}`);

const routes: RouteOptions[] = [];
const app = await buildTestApp(t, { rateLimit: 'on', options: { onRoute: (route) => routes.push(route) } });

t.test('every route that changes something has a rate limit', async (t) => {
  const changing = routes.filter(({ method }) => [method].flat().some((each) => !reading.includes(each)));
  const unlimited = changing.filter(({ config }) => !config || !('rateLimit' in config)).flatMap(callsOf);
  t.same(unlimited, withoutChange);
  t.ok(changing.length >= 25, `${changing.length} routes of change were seen`);
});

t.test('changes beyond the limit of an account answer 429, and another account is not affected', async (t) => {
  const [one, other] = [await signIn(app), await signIn(app)];
  const rename = async ({ bearer }: typeof one) => {
    return app.inject({ method: 'PATCH', url: '/api/images/none', headers: bearer, payload: { filename: 'a.png' } });
  };
  t.equal((await rename(one)).statusCode, 404);
  await app.db.execute(`update rate_limits set count = 598 where key like '%:${one.id}' and count = 1`);
  for (let call = 599; call <= 600; call += 1) t.equal((await rename(one)).statusCode, 404, `call ${call}`);
  const refused = await rename(one);
  t.equal(refused.statusCode, 429);
  t.match(refused.headers, { 'retry-after': /^\d+$/ });
  t.equal((await rename(other)).statusCode, 404);
});
