/** Three whole servers on one database and one disk, as a proxy without sticky sessions meets them. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { UploadAnswer } from '../contract.ts';
import { temporaryFolder } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { type Cable, createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { admin, type Server, startServer } from '../testing/processes.ts';

t.setTimeout(180_000);

type Environment = Record<string, string>;
type Stage = { servers: Server[]; one: Server; others: Server[]; cable: Cable; environment: Environment };

/** The last one hears the database's notices by a line that can be pulled out. */
async function stageOf(t: Test, more: Environment = {}): Promise<Stage> {
  const cable = await createCabledDatabase(t);
  const environment = {
    DATA_DIR: await temporaryFolder(t),
    DATABASE_URL: cable.direct,
    JWT_SECRET: 's'.repeat(32),
    ...more,
  };
  const start = (own: Environment = {}) => startServer(t, { ...environment, ...own });
  const servers = await Promise.all([start(), start(), start({ DATABASE_DIRECT_URL: cable.url })]);
  return { servers, one: servers[0], others: servers.slice(1), cable, environment };
}

type Sent = { method?: string; headers?: Record<string, string>; json?: unknown; body?: Buffer };

async function call({ origin }: Server, path: string, { method, headers = {}, json, body }: Sent = {}) {
  const answer = await fetch(origin + path, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

const password = 'a long enough password';

async function register(server: Server) {
  const username = `user-${randomUUID().slice(0, 8)}`;
  const account = { username, email: `${username}@example.com`, password };
  const { status, text } = await call(server, '/api/auth/register', { json: account });
  if (status !== 201) throw new Error(text);
  return account;
}

async function logIn(server: Server, { email }: { email: string }) {
  const { status, text } = await call(server, '/api/auth/login', { json: { email, password } });
  if (status !== 200) throw new Error(text);
  return { authorization: `Bearer ${JSON.parse(text).access_token}` };
}

async function upload(server: Server, bearer: Record<string, string>, width: number) {
  const { headers, payload } = await form([{ name: `${width}.png`, bytes: await picture({ width }) }]);
  const sent = { method: 'POST', headers: { ...headers, ...bearer }, body: payload };
  return call(server, '/api/images/upload', sent);
}

const imageOf = ({ text }: { text: string }) => (JSON.parse(text) as UploadAnswer).images[0];
const statuses = (servers: Server[], path: string, sent?: Sent) =>
  Promise.all(servers.map(async (server) => (await call(server, path, sent)).status));

/** Milliseconds after which nobody answers as before. */
const bound = 1000;

/**
 * What each of them answers becomes this, and stays so. Judged are the calls that begin after a second: what a slow machine
 * asks before may be answered as before.
 */
async function becomes(t: Test, servers: Server[], path: string, status: number, sent?: Sent): Promise<void> {
  const since = performance.now();
  const late = await Promise.all(
    servers.map(async (server) => {
      for (;;) {
        const begun = performance.now() - since;
        const answered = (await call(server, path, sent)).status;
        if (answered === status || begun > bound) return answered;
      }
    }),
  );
  t.same(late, Array(servers.length).fill(status), `${path.slice(0, 12)}…: ${status} everywhere within a second`);
  for (let time = 0; time < 5; time += 1) {
    t.same(await statuses(servers, path, sent), Array(servers.length).fill(status), 'and so it stays');
  }
}

async function warm(t: Test, servers: Server[], path: string): Promise<void> {
  for (let time = 0; time < 5; time += 1) t.same(await statuses(servers, path), Array(servers.length).fill(200));
}

t.test('a deleted link is dead everywhere, and with the line to the notices cut', async (t) => {
  const { servers, one, others, cable } = await stageOf(t);
  const bearer = await logIn(one, await register(one));
  let width = 40;
  const deleteOne = async () => {
    width += 1;
    const image = imageOf(await upload(one, bearer, width));
    const paths = [image?.url, image?.thumbnail_url].map((url) => new URL(url ?? '').pathname);
    for (const path of paths) await warm(t, servers, path);
    return { id: image?.id, paths };
  };
  const remove = (id: string | undefined) =>
    call(one, `/api/images/delete/${id}`, { method: 'DELETE', headers: bearer });

  const first = await deleteOne();
  t.equal((await remove(first.id)).status, 204);
  for (const path of first.paths) await becomes(t, servers, path, 404);

  const before = await deleteOne();
  await cable.pull();
  t.equal((await remove(before.id)).status, 204);
  for (const path of before.paths) await becomes(t, others, path, 404);

  const meanwhile = await deleteOne();
  await cable.plugIn();
  t.equal((await remove(meanwhile.id)).status, 204);
  for (const path of meanwhile.paths) await becomes(t, others, path, 404);
});

t.test('an ended session, a disabled user, a changed password and a closed album end everywhere', async (t) => {
  const { servers, one, environment } = await stageOf(t);
  const account = await register(one);
  const me = (headers: Record<string, string>) => ({ headers });

  const first = await logIn(one, account);
  t.same(await statuses(servers, '/api/auth/me', me(first)), [200, 200, 200]);
  t.equal((await call(one, '/api/auth/logout', { method: 'POST', headers: first })).status, 204);
  await becomes(t, servers, '/api/auth/me', 401, me(first));

  const [second, third] = [await logIn(one, account), await logIn(one, account)];
  t.same(await statuses(servers, '/api/auth/me', me(third)), [200, 200, 200]);
  const change = { current_password: password, new_password: 'another long password' };
  const changed = await call(one, '/api/account/password', { headers: second, json: change });
  t.equal(changed.status, 200, changed.text);
  await becomes(t, servers, '/api/auth/me', 401, me(third));
  await becomes(t, servers, '/api/auth/me', 401, me(second));
  const renewed = { authorization: `Bearer ${JSON.parse(changed.text).access_token}` };
  t.same(await statuses(servers, '/api/auth/me', me(renewed)), [200, 200, 200], 'the new token of who changed it');

  const album = JSON.parse((await call(one, '/api/albums/', { headers: renewed, json: { name: 'Shown' } })).text).album;
  const link = `/api/albums/${album.id}/link`;
  const { text } = await call(one, link, { method: 'POST', headers: renewed });
  const page = new URL(JSON.parse(text).url).pathname;
  await warm(t, servers, page);
  t.equal((await call(one, link, { method: 'DELETE', headers: renewed })).status, 204);
  await becomes(t, servers, page, 404);

  const { code, stderr } = await admin(t, ['users', 'disable', account.email], environment);
  t.equal(code, 0, stderr);
  await becomes(t, servers, '/api/auth/me', 401, me(renewed));
});

t.test('ten failed logins are ten, over all of them together', async (t) => {
  const { servers, one } = await stageOf(t, { RATE_LIMIT: 'on' });
  const { email } = await register(one);
  const wrong = { json: { email, password: 'not the right one' } };
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => call(servers[index % 3] ?? one, '/api/auth/login', wrong)),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  t.ok(count(401) <= 10, `${count(401)} were looked at`);
  t.equal(count(401) + count(429), 30);
  t.same(await statuses(servers, '/api/auth/login', wrong), [429, 429, 429]);
});

t.test('a quota is one, over all of them together', async (t) => {
  const { servers, one } = await stageOf(t, { QUOTA_IMAGES: '5' });
  const bearer = await logIn(one, await register(one));
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => upload(servers[index % 3] ?? one, bearer, 30 + index)),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 5);
  const { text } = await call(servers[1] ?? one, '/api/images/?page=1', { headers: bearer });
  t.equal(JSON.parse(text).total, 5);
});

t.test('a server with another secret reports it', async (t) => {
  const { environment } = await stageOf(t);
  const other = await startServer(t, { ...environment, JWT_SECRET: 'x'.repeat(32) });
  await eventually('the error about JWT_SECRET', () => /"level":50[^\n]*another JWT_SECRET/.test(other.stdout()));
  t.pass('in one line of its log');
});

t.test('a hidden picture and silenced links are closed everywhere, and with the line to the notices cut', async (t) => {
  const { servers, one, others, cable, environment } = await stageOf(t);
  const account = await register(one);
  const bearer = await logIn(one, account);
  const command = async (...args: string[]) => {
    const { code, stderr } = await admin(t, args, environment);
    t.equal(code, 0, stderr);
  };
  const image = imageOf(await upload(one, bearer, 50));
  const paths = [image?.url, image?.thumbnail_url].map((url) => new URL(url ?? '').pathname);
  for (const path of paths) await warm(t, servers, path);
  await command('images', 'hide', String(image?.id), '--legal');
  for (const path of paths) await becomes(t, servers, path, 451);
  await command('images', 'show', String(image?.id));
  for (const path of paths) await becomes(t, servers, path, 200);

  await cable.pull();
  await command('users', 'disable', account.email, '--with-links');
  for (const path of paths) await becomes(t, others, path, 404);
  await cable.plugIn();
  await command('users', 'enable', account.email);
  for (const path of paths) await becomes(t, servers, path, 200);
});
