import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';

const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir });

t.test('a working server is live and ready', async (t) => {
  t.equal((await app.inject('/api/health/live')).statusCode, 200);
  t.equal((await app.inject('/api/health/ready')).statusCode, 200);
});

t.test('without its storage the server is live but not ready, and an upload reports the reason', async (t) => {
  const account = await signIn(app);
  const upload = async () => postFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  t.equal((await app.inject('/api/health/live')).statusCode, 200);
  t.equal((await app.inject('/api/health/self')).statusCode, 200);
  t.match((await app.inject('/api/health/ready')).json(), { statusCode: 503, code: 'STORAGE_UNAVAILABLE' });
  t.match((await upload()).json(), { statusCode: 503, code: 'STORAGE_UNAVAILABLE', message: /storage/ });
  await rename(join(dataDir, 'away'), join(dataDir, 'files'));
  t.equal((await app.inject('/api/health/ready')).statusCode, 200);
  t.equal((await upload()).statusCode, 201, 'it recovers without a restart');
});

t.test('without its database the server is live but not ready, calls report the reason, and it recovers', async (t) => {
  const database = await createCabledDatabase(t);
  const app = await buildTestApp(t, { databaseUrl: database.url });
  const { bearer } = await signIn(app);
  const list = () => app.inject({ url: '/api/images/', headers: bearer });
  const ready = async () => (await app.inject('/api/health/ready')).statusCode;

  await database.pull();
  t.equal((await app.inject('/api/health/live')).statusCode, 200);
  t.equal((await app.inject('/api/health/self')).statusCode, 200);
  t.equal(await ready(), 503);
  const answer = await list();
  t.match(answer.json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE', message: /database/ });
  t.ok(answer.headers['retry-after']);

  await database.plugIn();
  await eventually('the server is ready', async () => (await ready()) === 200);
  t.equal((await list()).statusCode, 200);
});
