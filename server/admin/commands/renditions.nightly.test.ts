import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../../testing/app.ts';
import { storedFiles } from '../../testing/disk.ts';
import { eventually } from '../../testing/eventually.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { admin, startProcess } from '../../testing/processes.ts';

t.setTimeout(280_000);

async function gallery(t: Test, count: number) {
  const env = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  const app = await buildTestApp(t, { dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL });
  const files = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `${index}.tiff`,
      bytes: await picture({ format: 'tiff', width: 100 + index }),
    })),
  );
  const images = await storeFiles(app, await signIn(app), files);
  const ids = images.map(({ id }) => id);
  const placeOf = (folder: string, id = '') => join(env.DATA_DIR, 'files', folder, id.slice(-2), `${id}.webp`);
  const rebuild = (...args: string[]) => admin(t, ['renditions', 'rebuild', ...args], env);
  return { env, app, ids, placeOf, rebuild };
}

async function renditions(dataDir: string): Promise<Record<string, string>> {
  const files = (await storedFiles(dataDir)).filter((file) => /^(thumbnails|screens)\//.test(file));
  const read = async (file: string) =>
    [file, (await readFile(join(dataDir, 'files', file))).toString('base64')] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}

/** Child processes, on systems that list them in /proc. */
function childrenOf(pid: number | undefined): string[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean) : [];
}

t.test('missing, damaged and unknown renditions are rebuilt, and no others', async (t) => {
  const { env, ids, placeOf, rebuild } = await gallery(t, 5);
  const [lost, damaged, withoutScreen, unknown, whole] = ids;
  const before = await renditions(env.DATA_DIR);
  t.equal(Object.keys(before).length, 10);
  await rm(placeOf('thumbnails', lost));
  await writeFile(placeOf('thumbnails', damaged), (await readFile(placeOf('thumbnails', damaged))).fill(0, 40, 60));
  await rm(placeOf('screens', withoutScreen));
  await query(env.DATABASE_URL, `update images set traces = null, thumbnail_sha256 = null where id = '${unknown}'`);
  const untouched = await stat(placeOf('thumbnails', whole));

  t.same(await rebuild('--missing'), {
    code: 0,
    stdout: '5 images checked, renditions of 4 rebuilt.\n',
    stderr: '',
  });
  t.same(await renditions(env.DATA_DIR), before);
  t.equal((await stat(placeOf('thumbnails', whole))).ino, untouched.ino);
  t.same(await query(env.DATABASE_URL, 'select id from images where traces is null or thumbnail_sha256 is null'), []);

  t.match(await rebuild('--missing'), { code: 0, stdout: '5 images checked, renditions of 0 rebuilt.\n' });
  t.match(await rebuild(), { code: 0, stdout: '5 images checked, renditions of 5 rebuilt.\n' });
  t.same(await renditions(env.DATA_DIR), before);
  t.equal((await stat(placeOf('thumbnails', whole))).ino, untouched.ino, 'a good rendition is not written again');
});

t.test("a damaged original is named, and the other images' renditions are rebuilt", async (t) => {
  const { env, ids, placeOf, rebuild } = await gallery(t, 3);
  const [damaged = '', gone = '', good] = ids;
  const original = (id: string) => placeOf('originals', id).replace('.webp', '.tiff');
  const bytes = await readFile(original(damaged));
  await writeFile(original(damaged), bytes.fill(7, bytes.length - 20));
  await rm(original(gone));
  for (const id of ids) await rm(placeOf('thumbnails', id));
  const { code, stdout, stderr } = await rebuild('--missing');
  t.equal(code, 1);
  t.equal(stdout, '');
  const lines = stderr.trimEnd().split('\n');
  t.match(
    lines.slice(0, 2).sort(),
    [damaged, gone].sort().map((id) => `${id}: its original is missing or damaged`),
  );
  t.match(lines[2], '3 images checked, renditions of 1 rebuilt, of 2 not.');
  await t.resolves(stat(placeOf('thumbnails', good)));
  t.same(Object.keys(await renditions(env.DATA_DIR)).filter((file) => file.startsWith('thumbnails/')).length, 1);
});

t.test('--after resumes after the given image and refuses an invalid id', async (t) => {
  const { ids, rebuild } = await gallery(t, 3);
  t.match(await rebuild('--after', ids[1] ?? ''), {
    code: 0,
    stdout: /^1 images checked, renditions of 1 rebuilt/,
  });
  t.match(await rebuild('--after', 'nothing'), { code: 2, stderr: /It must be the id of an image/ });
});

t.test('an interrupted run leaves every picture whole and no decoder running', async (t) => {
  const { env, app, ids } = await gallery(t, 24);
  await app.close();
  const before = await renditions(env.DATA_DIR);
  for (const file of Object.keys(before)) await rm(join(env.DATA_DIR, 'files', file));
  const { child, ended, stderr } = startProcess(t, 'admin', ['renditions', 'rebuild'], env);
  await eventually(
    'the first renditions, or the end of the command',
    async () => Object.keys(await renditions(env.DATA_DIR)).length > 2 || child.exitCode !== null,
  );
  const decoders = childrenOf(child.pid);
  child.kill('SIGINT');
  t.equal(await ended, 130, stderr());
  await eventually('all decoders have exited', () => decoders.every((pid) => !existsSync(`/proc/${pid}`)));
  const after = await renditions(env.DATA_DIR);
  t.ok(Object.keys(after).length < 2 * ids.length, 'the run was not finished');
  for (const [file, bytes] of Object.entries(after)) t.equal(bytes, before[file]);
  t.match(await admin(t, ['renditions', 'rebuild', '--missing'], env), { code: 0 });
  t.same(await renditions(env.DATA_DIR), before);
});

t.test('renditions of images that share their bytes are rebuilt once', async (t) => {
  const { env, app, rebuild } = await gallery(t, 1);
  const bytes = await picture({ format: 'tiff', width: 300 });
  await storeFiles(
    app,
    await signIn(app),
    ['a.tiff', 'b.tiff', 'c.tiff'].map((name) => ({ name, bytes })),
  );
  const before = await renditions(env.DATA_DIR);
  t.match(await rebuild(), { code: 0, stdout: '4 images checked, renditions of 2 rebuilt.\n' });
  t.same(await renditions(env.DATA_DIR), before);
});
