/** Upgrades from an earlier build: docs/understand/testing.md describes GALLERY_EARLIER_BUILD. */
import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { parseDatabaseUrl } from '../../server/database/address.ts';
import { openClient } from '../../server/database/client.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { noise } from '../../server/testing/pictures.ts';
import { createTestDatabase } from '../../server/testing/postgres/database.ts';
import { createTestBucket, s3Environment, withoutS3 } from '../../server/testing/s3.ts';
import { newAccount, store } from '../testing/account.ts';
import { asJson, call } from '../testing/call.ts';
import {
  checkUpgrade,
  fillAccount,
  startEarlier,
  takeSnapshot,
  withoutEarlierBuild,
} from '../testing/earlier-build.ts';
import { checkBytes, listAll } from '../testing/holdings.ts';
import { createHome, type Home, onEmbedded } from '../testing/home.ts';
import { emptyDatabase } from '../testing/upgrade.ts';

t.setTimeout(600_000);

type SetUp = {
  environment: (t: Test) => Promise<Record<string, string>>;
  isExternal?: boolean;
  skip?: string | false;
};

const onDisk = async () => ({});

/** A database that no version has migrated yet. */
async function newDatabase(t: Test): Promise<string> {
  const { url } = await createTestDatabase(t);
  const sql = openClient(parseDatabaseUrl(url), { max: 1 });
  await emptyDatabase(sql);
  await sql.end({ timeout: 5 });
  return url;
}

const newHome = async (t: Test, environment = {}, isExternal = !onEmbedded): Promise<Home> =>
  createHome(t, environment, isExternal ? { databaseUrl: await newDatabase(t) } : {});

const setUps: Record<string, SetUp> = {
  'the embedded Postgres and a disk': { environment: onDisk, skip: !onEmbedded && 'TEST_DATABASE_URL is set' },
  'an external Postgres and a disk': {
    environment: onDisk,
    isExternal: true,
  },
  'a disk with sealing': {
    environment: async () => ({ ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
  },
  'a bucket': {
    environment: async (t) => ({ STORAGE: 's3', ...s3Environment((await createTestBucket(t)).bucket) }),
    skip: withoutS3,
  },
  'a bucket with sealing': {
    environment: async (t) => ({
      STORAGE: 's3',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...s3Environment((await createTestBucket(t)).bucket),
    }),
    skip: withoutS3,
  },
};

for (const [name, { environment, isExternal, skip = false }] of Object.entries(setUps)) {
  t.test(`an upgrade on ${name} loses nothing`, { skip: withoutEarlierBuild || skip }, async (t) => {
    // Renditions that a server makes while it is idle would change the list.
    const home = await newHome(t, { RENDITIONS_AHEAD: 'off', ...(await environment(t)) }, isExternal);
    const earlier = await startEarlier(home);
    const filled = await fillAccount(earlier.origin);
    const before = await takeSnapshot(earlier.origin, filled);
    t.equal(await earlier.stop(), 0);

    const upgraded = await home.start();
    await checkUpgrade(t, upgraded.origin, filled, before);
    t.equal(await upgraded.stop(), 0);
  });
}

t.test('an upgrade finishes the background work of a killed server', { skip: withoutEarlierBuild }, async (t) => {
  const home = await newHome(t);
  const earlier = await startEarlier(home);
  const [staying, leaving] = [await newAccount(earlier.origin), await newAccount(earlier.origin)];
  const photographs = async (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => ({ name: `${at}.jpg`, bytes: await noise(1700 + at, 300) })),
    );
  await store(earlier.origin, leaving, await photographs(8));
  await store(earlier.origin, staying, await photographs(8));
  const { password } = leaving;
  const deletion = { ...asJson({ password }), method: 'DELETE' };
  const answer = await call(earlier.origin, '/api/account', {
    ...deletion,
    headers: { ...deletion.headers, ...leaving.bearer },
  });
  t.equal(answer.status, 204, answer.body);
  const sql = await home.connect();
  // Background work begins when the server has been idle for two seconds.
  await earlier.kill();
  const jobs = await sql`select name, count(*)::int from gallery_jobs.job where state < 'completed' group by name`;
  t.ok(
    jobs.some(({ name }) => name === 'renditions'),
    'renditions are queued',
  );
  const [due] = await sql`select count(*)::int from images where renditions_due`;
  t.ok(due?.count > 0, 'renditions are due');
  await sql.end();

  const upgraded = await home.start();
  const dueRenditions = 'select 1 from images where renditions_due';
  await eventually('no rendition is due', async () => (await home.sql(dueRenditions)).length === 0, 300);
  const screens = (await listAll(upgraded.origin, staying)).map(({ screen_url }) => screen_url.split('/').at(-1));
  t.same(screens, Array(8).fill('screen.webp'));
  await checkBytes(t, home);
  t.same(await home.sql("select 1 from pg_namespace where nspname = 'gallery_jobs'"), []);
  t.equal(await upgraded.stop(), 0);
});
