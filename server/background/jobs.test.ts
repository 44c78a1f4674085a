import { randomBytes, randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { databaseUrl, parseDatabaseUrl } from '../database/address.ts';
import { connect } from '../database/connect.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { createJobs, type Work } from './jobs.ts';

const usual: Omit<Work, 'name' | 'run'> = { expireIn: 60, retries: 0, retryAfter: 0 };

function processOf(t: Test, url: string, ...works: Work[]) {
  const { sql, close } = connect(url, { max: 2 });
  const told: string[] = [];
  const details: object[] = [];
  const tell = (detail: object, message: string) => {
    told.push(message);
    details.push(detail);
  };
  const jobs = createJobs({ client: sql, log: { info: tell, warn: tell, error: tell }, pollEvery: 50 });
  for (const work of works) jobs.work(work);
  t.teardown(async () => {
    await jobs.close();
    await close();
  });
  return { jobs, told, details };
}

t.test('processes that start together share their queues and run a recurring job once', async (t) => {
  const { url } = await createTestDatabase(t);
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const all = [1, 2, 3, 4].map(() => processOf(t, url, { ...usual, name: 'hourly', every: 3600, run }));
  await Promise.all(all.map(({ jobs }) => jobs.start()));
  t.same(
    all.map(({ jobs, told }) => [jobs.isReady(), told]),
    Array(4).fill([true, []]),
  );
  const { sql, close } = connect(url, { max: 1 });
  t.teardown(close);
  const states = async () =>
    (await sql`select state::text from gallery_jobs.job where name = 'hourly'`).map(({ state }) => state);
  await eventually('the hourly job is completed', async () => (await states())[0] === 'completed');
  t.equal(runs, 1);
  t.same(await states(), ['completed']);
});

t.test('a waiting or running job is not queued twice', async (t) => {
  const { url } = await createTestDatabase(t);
  const held: (() => void)[] = [];
  const { jobs, told } = processOf(t, url, {
    ...usual,
    name: 'slow',
    run: () => new Promise((done) => held.push(done)),
  });
  await jobs.start();
  const id = randomUUID();
  await jobs.send('slow', [{ id }, { id }]);
  await eventually('the first job has begun', () => held.length === 1);
  await jobs.send('slow', [{ id }]);
  t.equal(await jobs.depth('slow'), 1);
  held[0]?.();
  await eventually('the queue is empty', async () => (await jobs.depth('slow')) === 0);
  t.equal(held.length, 1);
  await jobs.send('slow', [{ id }]);
  await eventually('the second job has begun', () => held.length === 2);
  held[1]?.();
  t.same(told, []);
});

t.test('a job that failed for good is logged with its queue, unless it is recurring', async (t) => {
  const { url } = await createTestDatabase(t);
  const run = async () => {
    throw new Error('it cannot be done');
  };
  const works = [
    { ...usual, name: 'poor', run },
    { ...usual, name: 'hourly', every: 3600, run },
  ];
  const { jobs, told, details } = processOf(t, url, ...works);
  await jobs.start();
  await jobs.send('poor', [{ id: randomUUID(), data: { content: 'a' } }]);
  const isTold = (message: string) => /failed for good/.test(message);
  await eventually(
    'both failures are logged',
    () => told.some(isTold) && told.some((message) => /"hourly" failed/.test(message)),
  );
  t.same(details[told.findIndex(isTold)], { data: { queue: 'poor', content: 'a' } });
  const { sql, close } = connect(url, { max: 1 });
  t.teardown(close);
  t.same(await sql`select dead_letter from gallery_jobs.job where name = 'hourly'`, [{ dead_letter: null }]);
});

t.test('without permission to create the schema, one line is logged and sending jobs has no effect', async (t) => {
  const { url } = await createTestDatabase(t);
  const owner = connect(url, { max: 1 });
  const role = `mere_${randomBytes(4).toString('hex')}`;
  await owner.sql.unsafe(`create role ${role} login password 'mere'`);
  t.teardown(async () => {
    await owner.sql.unsafe(`drop role ${role}`);
    await owner.close();
  });
  const mere = databaseUrl({ ...parseDatabaseUrl(url), user: role, password: 'mere' });
  const { jobs, told } = processOf(t, mere, {
    ...usual,
    name: 'any',
    run: async () => void t.fail('the job must not run'),
  });
  await jobs.start();
  t.equal(told.length, 1);
  t.match(told[0], /^background jobs are off: [^\n]*schema "gallery_jobs"[^\n]*GRANT CREATE ON DATABASE[^\n]*$/);
  t.equal(jobs.isReady(), false);
  await jobs.send('any', [{ id: randomUUID() }]);
  t.equal(await jobs.depth('any'), 0);
});

t.test('jobs continue after a database outage, and close() resolves during one', async (t) => {
  const cable = await createCabledDatabase(t);
  const done: string[] = [];
  const work = { ...usual, name: 'any', run: async ({ id }: { id: string }) => void done.push(id) };
  const { jobs } = processOf(t, cable.url, work);
  await jobs.start();
  await cable.pull();
  await jobs.send('any', [{ id: randomUUID() }]);
  await cable.plugIn();
  const id = randomUUID();
  await eventually('a job sent after the outage is done', async () => {
    await jobs.send('any', [{ id }]);
    return done.includes(id);
  });
  await cable.pull();
  await t.resolves(jobs.close());
});
