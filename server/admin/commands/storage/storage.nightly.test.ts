/** An administrator moves a collection while a server runs. */
import { execFile } from 'node:child_process';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { images, register, statusOf, upload } from '../../../testing/collections/members.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { query, temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startProcess, startServer } from '../../../testing/processes.ts';
import { createTestBucket, s3Environment, storedObjects, withoutS3 } from '../../../testing/s3.ts';

t.setTimeout(280_000);

const run = promisify(execFile);

/** A server on the disk, and the variables of an empty bucket. */
async function start(t: Test) {
  const { bucket } = await createTestBucket(t);
  const gallery = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  const env = { ...gallery, ...s3Environment(bucket), RENDITIONS_AHEAD: 'off' };
  return { bucket, env, server: await startServer(t, env) };
}

const args = ['storage', 'copy', '--from', 'disk', '--to', 's3'];

t.test('a killed copy resumes when run again, and the server is switched', { skip: withoutS3 }, async (t) => {
  const { env, bucket, server } = await start(t);
  const account = await register(server);
  const links = await upload(server, account, ['#111', '#222', '#333', '#444', '#555', '#666', '#777', '#888', '#999']);
  const before = await images(env);
  const last = before
    .filter((key) => key.startsWith('originals/'))
    .sort((a, b) => (a.slice(13) < b.slice(13) ? -1 : 1));
  const path = join(env.DATA_DIR, 'files', `${last.at(-1)}`);

  // A pipe instead of the last original: the copy blocks after reading what the pipe holds.
  const bytes = await readFile(path);
  await rm(path);
  await run('mkfifo', [path]);
  const copy = startProcess(t, 'admin', args, env);
  const pipe = await open(path, 'w');
  await pipe.write(bytes.subarray(0, 20));
  await eventually(
    'all objects but the last two are copied',
    async () => (await storedObjects(bucket)).length === before.length - 2,
  );
  copy.child.kill('SIGKILL');
  t.equal(await copy.ended, null);
  await pipe.close();
  await rm(path);
  await writeFile(path, bytes);
  t.notOk((await storedObjects(bucket)).includes(`${last.at(-1)}`), 'the bucket holds no partial object');

  const again = await admin(t, args, env);
  t.match(again, { code: 0, stderr: '' });
  t.match(again.stdout, /^2 files copied \(.*\), 16 already there, 0 images gone meanwhile, 0 failed\.\n$/);
  t.same((await storedObjects(bucket)).sort(), before);

  t.equal(await server.stop(), 0);
  const late = await startServer(t, {
    ...env,
    STORAGE: 's3',
    STORAGE_FALLBACK: 'disk',
    PORT: new URL(server.origin).port,
  });
  for (const link of links) t.equal(await statusOf(link), 200);
  const [fresh = ''] = await upload(late, account, ['#abc']);
  t.match(await admin(t, [...args, '--json'], { ...env, STORAGE: 's3' }), {
    code: 0,
    stdout: /^\{"copied":0,"bytes":0,"there":20,"gone":0,"failed":0,"failures":\[\]\}\n$/,
  });
  t.equal(await late.stop(), 0);
  await rm(join(env.DATA_DIR, 'files'), { recursive: true });
  await startServer(t, { ...env, STORAGE: 's3', PORT: new URL(server.origin).port });
  for (const link of [...links, fresh]) t.equal(await statusOf(link), 200);
});

t.test('storage copy names files that cannot be copied and exits with 1', { skip: withoutS3 }, async (t) => {
  const { env, server } = await start(t);
  await upload(server, await register(server), ['#111', '#222']);
  const [key = ''] = await images(env);
  await writeFile(join(env.DATA_DIR, 'files', key), 'something else');
  const { code, stdout, stderr } = await admin(t, args, env);
  t.equal(code, 1);
  t.match(stdout, /^3 files copied .*, 1 failed\.\n$/);
  t.ok(stderr.startsWith(`${key}: its SHA-256 is `), stderr);
  t.match(stderr, /\n1 file could not be copied, see above\.\n$/);
  const reported = JSON.parse((await admin(t, [...args, '--json'], env)).stdout);
  t.match(reported, { copied: 0, there: 3, failed: 1, failures: [{ key }] });
  const log = await query(env.DATABASE_URL, `select actor, details from audit_log where action = 'storage.copy'`);
  t.same(log, Array(2).fill({ actor: 'command line', details: { from: 'disk', to: 's3' } }));
});

t.test('storage copy refuses wrong arguments and missing settings before it starts', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  t.equal((await admin(t, ['migrate'], env)).code, 0);
  const wrong = (...last: string[]) => admin(t, ['storage', 'copy', ...last], env);
  t.match(await wrong('--from', 'disk', '--to', 'disk'), { code: 2, stderr: /Give two backends/ });
  t.match(await wrong('--from', 'disk', '--to', 'tape'), { code: 2, stderr: /Allowed choices are disk, s3/ });
  t.match(await wrong('--from', 'disk'), { code: 2, stderr: /--to/ });
  t.match(await wrong('--from', 'disk', '--to', 's3'), {
    code: 1,
    stderr: /^S3_BUCKET must be set too where pictures are/,
  });
});
