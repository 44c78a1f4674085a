/** Resumable uploads across restarts, kills and lost disks. */
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { uploads } from '../../../drizzle/schema.ts';
import { buildApp } from '../../app.ts';
import { logIn, signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder, testConfig } from '../../testing/app.ts';
import { storedFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { noise, picture } from '../../testing/pictures.ts';
import { startServer } from '../../testing/processes.ts';
import { openSocket } from '../../testing/socket.ts';
import { askOffset, askOutcome, opened, partHead, sendPart, tusHeaders } from '../../testing/tus.ts';

t.setTimeout(180_000);

const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Writes and counts the last bytes of the only upload without deciding it. */
async function writeRest(app: FastifyInstance, bytes: Buffer): Promise<void> {
  const [row] = await app.db.select().from(uploads);
  if (!row) throw new Error('no upload');
  const file = await app.storage.partials.open(row);
  await file.write(bytes);
  const pieces = await file.sync();
  await file.close();
  await app.db.update(uploads).set({ received: row.size, pieces });
}

t.test('an open upload continues after a restart of the server', async (t) => {
  const config = await testConfig(t);
  const first = await buildApp(config);
  const account = await signIn(first);
  const bytes = await noise(300, 200);
  const path = await opened(first, account, bytes.length);
  await sendPart(first, account, path, 0, bytes.subarray(0, 5000));
  await first.close();
  const second = await buildApp(config);
  t.teardown(() => second.close());
  await second.sweeps.run();
  t.equal((await askOffset(second, account, path)).headers['upload-offset'], '5000');
  await sendPart(second, account, path, 5000, bytes.subarray(5000));
  const { image } = (await askOutcome(second, account, path)).json();
  t.ok((await second.inject(new URL(image.url).pathname)).rawPayload.equals(bytes));
});

t.test('a killed server keeps the synced bytes of a part', async (t) => {
  const { databaseUrl = '', dataDir } = await testConfig(t);
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const first = await startServer(t, environment);
  const call = (origin: string, path: string, init: RequestInit = {}) => fetch(origin + path, init);
  const json = { 'content-type': 'application/json' };
  const person = { username: 'somebody', email: 'a@example.com', password: 'a long enough password' };
  await call(first.origin, '/api/auth/register', { method: 'POST', headers: json, body: JSON.stringify(person) });
  const login = await call(first.origin, '/api/auth/login', {
    method: 'POST',
    headers: json,
    body: JSON.stringify(person),
  });
  const bearer = { authorization: `Bearer ${((await login.json()) as { access_token: string }).access_token}` };
  const bytes = await noise(3000, 2400, 'png');
  t.ok(bytes.length > 12e6, `${bytes.length} bytes`);
  const opening = await call(first.origin, '/api/uploads', {
    method: 'POST',
    headers: { ...tusHeaders, ...bearer, 'upload-length': String(bytes.length) },
  });
  const path = String(opening.headers.get('location'));
  const { send } = await openSocket(first.origin);
  await send(partHead({ bearer }, path, 0, bytes.length));
  await send(bytes.subarray(0, 10e6));
  const app = await buildTestApp(t, { databaseUrl, dataDir });
  const synced = async () => {
    const [row] = await app.db.execute<{ received: string }>(sql`select received from uploads`);
    return Number(row?.received);
  };
  await eventually('8 MiB are recorded as received', async () => (await synced()) >= 2 ** 23);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await startServer(t, environment);
  const head = await call(second.origin, path, { method: 'HEAD', headers: { ...tusHeaders, ...bearer } });
  const offset = Number(head.headers.get('upload-offset'));
  t.ok(offset >= 2 ** 23 && offset <= 10e6, `${offset} bytes were kept`);
  const rest = await call(second.origin, path, {
    method: 'PATCH',
    headers: {
      ...tusHeaders,
      ...bearer,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      prefer: 'return=representation',
    },
    body: new Uint8Array(bytes.subarray(offset)),
  });
  const { image } = (await rest.json()) as { image: { url: string } };
  const answer = await call(second.origin, new URL(image.url).pathname);
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
});

t.test('the next server decides an upload once if the first was killed before the decision', async (t) => {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir });
  const account = await signIn(app);
  const bytes = await picture();
  const path = await opened(app, account, bytes.length);
  await sendPart(app, account, path, 0, bytes.subarray(0, -1));
  // The state after a kill between the last byte and the decision.
  await writeRest(app, bytes.subarray(-1));
  await app.db.execute(sql`update uploads set expires_at = now() + interval '24 hours' - interval '2 minutes'`);
  await Promise.all([app.sweeps.run(), askOutcome(app, account, path), askOutcome(app, account, path)]);
  const outcome = (await askOutcome(app, account, path)).json();
  t.equal(outcome.state, 'stored');
  const list = await app.inject({ url: '/api/images/', headers: account.bearer });
  t.same(
    list.json().images.map(({ id }: { id: string }) => id),
    [outcome.image.id],
  );
  t.notMatch((await storedFiles(dataDir)).join(), 'staging');
});

t.test('a complete upload whose bytes were lost answers 404 and is deleted', async (t) => {
  const app = await buildTestApp(t);
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  await app.db.execute(sql`update uploads set received = size`);
  t.equal((await askOutcome(app, account, path)).statusCode, 404);
  t.equal((await app.db.execute(sql`select from uploads`)).length, 0);
});

t.test('two servers that decide one upload concurrently store it once', async (t) => {
  const config = await testConfig(t);
  const apps = [await buildTestApp(t, config), await buildTestApp(t, config)];
  const [first = apps[0], second = apps[0]] = apps;
  if (!first || !second) throw new Error('no servers');
  const account = await signIn(first);
  const bytes = await noise(800, 600, 'png');
  const path = await opened(first, account, bytes.length);
  await sendPart(first, account, path, 0, bytes.subarray(0, -1));
  await writeRest(first, bytes.subarray(-1));
  const outcomes = await Promise.all([askOutcome(first, account, path), askOutcome(second, account, path)]);
  const ids = outcomes.map((answer) => answer.json().image.id);
  t.equal(ids[0], ids[1]);
  const list = await first.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(list.json().total, 1);
  t.equal((await storedFiles(config.dataDir)).filter((key) => key.startsWith('originals')).length, 1);
});

t.test('a sweep removes expired uploads and uploads of deleted accounts', async (t) => {
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { dataDir });
  const [account, leaver] = [await signIn(app), await signIn(app)];
  const [fresh, old, theirs] = [
    await opened(app, account, 100),
    await opened(app, account, 100),
    await opened(app, leaver, 100),
  ];
  for (const [owner, path] of [
    [account, fresh],
    [account, old],
    [leaver, theirs],
  ] as const) {
    await sendPart(app, owner, path, 0, Buffer.alloc(10));
  }
  await app.db.execute(sql`update uploads set expires_at = now() - interval '1 second' where id = ${idOf(old)}`);
  t.equal((await askOffset(app, account, old)).statusCode, 404);
  await app.db.execute(sql`delete from users where id = ${leaver.id}`);
  await app.sweeps.run();
  t.match(await storedFiles(dataDir), [new RegExp(`^staging/partial/${idOf(fresh)}/`)]);
  t.equal((await storedFiles(dataDir)).length, 1);
  t.equal((await askOffset(app, account, fresh)).headers['upload-offset'], '10');
  t.ok((await logIn(app, account)).token);
});

t.test('a part for an upload whose bytes were lost answers 404', async (t) => {
  const app = await buildTestApp(t);
  const account = await signIn(app);
  const path = await opened(app, account, 100);
  await sendPart(app, account, path, 0, Buffer.alloc(10));
  await app.storage.partials.remove(idOf(path));
  t.equal((await sendPart(app, account, path, 10, Buffer.alloc(10))).statusCode, 404);
});
