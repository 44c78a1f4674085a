import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { images, register, start, upload } from '../../../testing/collections/members.ts';
import { eventually } from '../../../testing/eventually.ts';
import { query } from '../../../testing/postgres/embedded.ts';
import { admin, startProcess, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

t.test('bytes that cannot be removed are reported, and a server removes them later', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  await upload(server, account, ['#111', '#222']);
  t.equal(await server.stop(), 0);
  const [original = ''] = (await images(env)).filter((file) => file.startsWith('originals/'));
  const path = join(env.DATA_DIR, 'files', original);
  await rm(path);
  await mkdir(join(path, 'not-a-file'), { recursive: true });
  const failed = await admin(t, ['users', 'delete', account.id, '--yes'], env);
  t.match(failed, {
    code: 1,
    stdout: '',
    stderr: /is deleted, but the files of 1 of its 2 pictures are not removed yet/,
  });
  t.same(await query(env.DATABASE_URL, 'select count(*)::int as number from orphaned_blobs'), [{ number: 1 }]);
  await rm(path, { recursive: true });
  await writeFile(path, 'the bytes');
  await startServer(t, env);
  await eventually(
    'the server has swept the orphaned blobs',
    async () => (await query(env.DATABASE_URL, 'select * from orphaned_blobs')).length === 0,
  );
  t.same(await images(env), []);
});

t.test('the next server finishes a deletion killed between its rows and its bytes', async (t) => {
  const { env, server } = await start(t);
  const account = await register(server);
  await upload(server, account, ['#111', '#222']);
  t.equal(await server.stop(), 0);
  // Rows without files sort first by id, so the process is killed before it reaches the real ones.
  const [{ columns } = {}] = await query(
    env.DATABASE_URL,
    `select string_agg(attname, ', ') as columns from pg_attribute
       where attrelid = 'images'::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
  );
  await query(
    env.DATABASE_URL,
    `insert into images (${columns}) select ${columns} from (select i from images i limit 1) one,
       lateral (select to_jsonb(one.i) as i) held, generate_series(1, 3000) n,
       jsonb_populate_record(null::images, held.i || jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), 'link_key', n::text)) made`,
  );
  const before = await images(env);
  t.equal(before.length, 4);
  const { child, ended } = startProcess(t, 'admin', ['users', 'delete', account.id, '--yes'], env);
  await eventually(
    'the account is deleted',
    async () => (await query(env.DATABASE_URL, 'select id from users')).length === 0,
  );
  child.kill('SIGKILL');
  t.equal(await ended, null);
  t.same(await images(env), before);
  t.same(await query(env.DATABASE_URL, 'select id from images'), []);
  await startServer(t, env);
  await eventually(
    'the server has swept the orphaned blobs',
    async () => (await query(env.DATABASE_URL, 'select image_id from orphaned_blobs')).length === 0,
  );
  t.same(await images(env), []);
});
