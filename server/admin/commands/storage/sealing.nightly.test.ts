import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Config } from '../../../config/config.ts';
import { testKeyring } from '../../../storage/testing/keyring.ts';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../../../testing/app.ts';
import { storedFiles } from '../../../testing/disk.ts';
import { storeFiles } from '../../../testing/form.ts';
import { noise } from '../../../testing/pictures.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { query } from '../../../testing/postgres/embedded.ts';
import { admin, startProcess } from '../../../testing/processes.ts';

t.setTimeout(280_000);

const [one, other] = [randomBytes(32), randomBytes(32)];
const idOf = (key: Buffer) => testKeyring(key).present.id;
const pathOf = (url: string) => new URL(url).pathname;

/** A gallery filled with these settings, and the bytes behind its links. */
async function gallery(t: Test, count: number, keys: Partial<Config> = {}) {
  const dataDir = await temporaryFolder(t);
  const { url } = await createTestDatabase(t);
  const env = { DATA_DIR: dataDir, DATABASE_URL: url };
  const start = (settings: Partial<Config>) =>
    buildTestApp(t, { dataDir, databaseUrl: url, cacheSize: 0, ...settings });
  const app = await start(keys);
  const files = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({ name: `${index}.jpg`, bytes: await noise(500 + index, 400) })),
  );
  const account = await signIn(app);
  const images = await storeFiles(app, account, files);
  const links = images.flatMap((image) => [pathOf(image.url), pathOf(image.thumbnail_url)]);
  const given = async (from: typeof app) =>
    Promise.all(links.map(async (link) => (await from.inject(link)).rawPayload.toString('base64')));
  const before = await given(app);
  await app.close();
  return {
    env,
    images,
    originals: files.map(({ bytes }) => bytes),
    start,
    account,
    /** Whether all links still serve the same bytes. */
    async gives(settings: Partial<Config>) {
      const again = await start(settings);
      const same = (await given(again)).every((bytes, index) => bytes === before[index]);
      await again.close();
      return same;
    },
    stored: async () =>
      Promise.all(
        (await storedFiles(dataDir))
          .filter((path) => !path.startsWith('staging'))
          .map(async (path) => ({
            path: join(dataDir, 'files', path),
            bytes: await readFile(join(dataDir, 'files', path)),
          })),
      ),
    sql: (text: string) => query(url, text),
    keys: async () => (await query(url, 'select unnest(sealed_by) as id from installation')).map(({ id }) => id),
    run: (args: string[], present?: Buffer, previous?: Buffer) =>
      admin(t, args, { ...env, ...keysOf(present, previous) }),
    startCommand: (args: string[], present?: Buffer, previous?: Buffer) =>
      startProcess(t, 'admin', args, { ...env, ...keysOf(present, previous) }),
  };
}

const keysOf = (present?: Buffer, previous?: Buffer) => ({
  ...(present && { ENCRYPTION_KEY: present.toString('base64') }),
  ...(previous && { ENCRYPTION_KEY_PREVIOUS: previous.toString('hex') }),
});
/** Synchronous and short, because the command must be killed between two of its files. */
function headerOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(176);
    readSync(file, header);
    return header.toString('hex');
  } finally {
    closeSync(file);
  }
}
const isSealed = ({ bytes }: { bytes: Buffer }) => bytes.subarray(0, 7).toString('latin1') === '\xd3SEALED';

t.test('encrypt seals plain files in place, once', async (t) => {
  const { run, stored, gives, keys } = await gallery(t, 4);
  t.match(await run(['encrypt']), { code: 1, stderr: /ENCRYPTION_KEY is not set/ });
  t.match(await run(['encrypt', '--check'], one), {
    code: 1,
    stdout: '0 files sealed, 8 plain.\n4 images not marked as sealed.\n',
  });
  t.same(await run(['encrypt'], one), { code: 0, stdout: '8 files sealed, 0 already were.\n', stderr: '' });
  t.ok((await stored()).every(isSealed));
  t.same(await keys(), [idOf(one)]);
  t.ok(await gives({ encryptionKey: one }));
  const inodes = await Promise.all((await stored()).map(async ({ path }) => (await stat(path)).ino));
  t.match(await run(['encrypt'], one), { code: 0, stdout: '0 files sealed, 8 already were.\n' });
  t.same(await Promise.all((await stored()).map(async ({ path }) => (await stat(path)).ino)), inodes);
  t.match(await run(['encrypt', '--check'], one), { code: 0, stdout: '8 files sealed, 0 plain.\n' });
  t.match(await run(['doctor'], one), { code: 0, stdout: /All is well/ });
  t.match(await run(['doctor']), { code: 1, stderr: new RegExp(`^ENCRYPTION_KEY: .*${idOf(one)}`) });
});

t.test('encrypt names a damaged file and does not overwrite it', async (t) => {
  const { run, stored } = await gallery(t, 2);
  const [file] = await stored();
  if (!file) throw new Error('no such file');
  const damaged = Buffer.from(file.bytes).fill(7, 300, 320);
  await writeFile(file.path, damaged);
  const { code, stderr } = await run(['encrypt'], one);
  t.equal(code, 1);
  t.match(stderr, /originals\/.*: its SHA-256 is .* instead of .*; "doctor" shows more/);
  t.match(stderr, '3 files sealed, 0 already were, 1 could not be');
  t.ok((await readFile(file.path)).equals(damaged), 'the damaged file is unchanged');
});

t.test('rotate-key replaces the old key without sealing the bytes again', async (t) => {
  const { run, stored, gives, keys, start } = await gallery(t, 3, { encryptionKey: one });
  const before = await stored();
  t.match(await run(['rotate-key'], other), { code: 1, stderr: new RegExp(idOf(one)) });
  const { code, stdout } = await run(['rotate-key'], other, one);
  t.equal(code, 0);
  t.match(stdout, /^6 files put under the present key, 0 already were\.\n.*may be taken away/);
  for (const [index, { path, bytes }] of (await stored()).entries()) {
    t.equal(path, before[index]?.path);
    t.ok(
      bytes.subarray(176).equals(before[index]?.bytes.subarray(176) ?? Buffer.alloc(0)),
      'the bytes are not sealed again',
    );
    t.notOk(bytes.includes(Buffer.from(idOf(one), 'hex')), 'nothing is left of the old wrapping');
  }
  t.same(await keys(), [idOf(other)]);
  t.ok(await gives({ encryptionKey: other }));
  await t.rejects(start({ encryptionKey: one }), { code: 'CONFIG' });
  t.match(await run(['rotate-key'], other, one), { stdout: /^0 files put under the present key, 6 already were/ });
  t.match(await run(['doctor'], other), { code: 0 });
});

t.test('the previous key is kept while any file cannot be opened', async (t) => {
  const { run, stored, keys } = await gallery(t, 2, { encryptionKey: one });
  const [file] = await stored();
  if (!file) throw new Error('no such file');
  await writeFile(file.path, Buffer.from(file.bytes).fill(7, 50, 60));
  const { code, stderr } = await run(['rotate-key'], other, one);
  t.equal(code, 1);
  t.match(stderr, /originals\/.*: its seal is broken; "doctor" shows more/);
  t.match(stderr, /3 files put .* 1 could not be.* keep the previous key/);
  t.same(await keys(), [idOf(one), idOf(other)]);
});

t.test('rotate-key is refused while a running server seals by the old key', async (t) => {
  const { run, keys, start, stored } = await gallery(t, 1, { encryptionKey: one });
  const app = await start({ encryptionKey: one });
  const before = await stored();
  t.match(await run(['rotate-key'], other, one), {
    code: 1,
    stdout: '',
    stderr: new RegExp(
      `seals by the key ${idOf(one)}, .* first start it with this ENCRYPTION_KEY .* Nothing was changed\\.`,
    ),
  });
  t.same(await stored(), before);
  t.same(await keys(), [idOf(one)]);
  await app.close();
  t.match(await run(['rotate-key'], other, one), { code: 0 });
  t.same(await keys(), [idOf(other)]);
});

t.test('a key given to a command by mistake does not become a key of the gallery', async (t) => {
  const { run, keys, gives, env, stored } = await gallery(t, 1);
  const file = join(await temporaryFolder(t), 'backup.tar');
  for (const args of [['doctor'], ['backup', file], ['users', 'list'], ['encrypt', '--check']]) await run(args, one);
  t.same(await keys(), []);
  t.ok(await gives({}), 'the server starts without the key');
  const thumbnail = (await stored()).find(({ path }) => path.includes('/thumbnails/'));
  await rm(`${thumbnail?.path}`);
  t.match(await run(['renditions', 'rebuild'], one), { code: 0 });
  t.same(await keys(), [idOf(one)], 'a writing command announces its key first');
  t.match(await admin(t, ['doctor'], env), { code: 1, stderr: /^ENCRYPTION_KEY: / });
});

t.test('rotate-key --without forgets a key that sealed nothing and keeps one that did', async (t) => {
  const { run, keys, gives, start } = await gallery(t, 1);
  await (await start({ encryptionKey: one })).close();
  const refused = await start({}).catch((error) => error);
  t.match(refused, { code: 'CONFIG', message: `rotate-key --without ${idOf(one)}"` });
  t.match(await run(['rotate-key', '--without', 'x']), { code: 2 });
  t.match(await run(['rotate-key', '--without', idOf(one)]), { code: 0 });
  t.same(await keys(), []);
  t.ok(await gives({}));

  t.match(await run(['encrypt'], one), { code: 0 });
  await (await start({ encryptionKey: other, encryptionKeyPrevious: [one] })).close();
  t.match(await run(['rotate-key', '--without', idOf(one)], other), {
    code: 1,
    stderr: /it is sealed by a key that is not given/,
  });
  t.same((await keys()).sort(), [idOf(one), idOf(other)].sort());
  t.match(await run(['rotate-key', '--without', idOf(other)], one), { code: 0 });
  t.same(await keys(), [idOf(one)]);
  t.match(await run(['rotate-key', '--without', idOf(one)], other), { code: 1 });
  t.same(await keys(), [idOf(one)], 'a key that seals nothing is not required');
  t.ok(await gives({ encryptionKey: one }));
});

t.test('uploads and deletions during encrypt and rotate-key lose no picture and restore none', async (t) => {
  const { images, start, account, startCommand, stored, env } = await gallery(t, 12);
  const app = await start({ encryptionKey: one });
  const command = startCommand(['encrypt'], one);
  const deletions = images.slice(0, 8).map(async ({ id }) => {
    const answer = await app.inject({ method: 'DELETE', url: `/api/images/delete/${id}`, headers: account.bearer });
    return answer.statusCode;
  });
  const added = storeFiles(app, account, [{ name: 'late.jpg', bytes: await noise(640, 480) }]);
  t.same([...new Set(await Promise.all(deletions))], [204]);
  const late = await added;
  t.equal(await command.ended, 0);
  await app.sweeps.run();
  const files = await stored();
  t.equal(files.length, (images.length - 8 + late.length) * 2, 'no file of a deleted picture is left');
  t.ok(files.every(isSealed));
  for (const { url } of [...images.slice(8), ...late]) t.equal((await app.inject(pathOf(url))).statusCode, 200);
  t.match(await admin(t, ['doctor'], { ...env, ...keysOf(one) }), { code: 0 });
});

for (const [name, args, settings] of [
  ['encrypt', ['encrypt'], {}],
  ['rotate-key', ['rotate-key'], { encryptionKey: one }],
] as const) {
  t.test(`${name} loses nothing when killed and can be resumed`, async (t) => {
    const { run, stored, gives, startCommand } = await gallery(t, 40, settings);
    const both = { encryptionKey: other, encryptionKeyPrevious: [one] };
    const paths = (await stored()).map(({ path }) => path);
    const first = paths.map(headerOf);
    const changed = () => paths.filter((path, index) => headerOf(path) !== first[index]).length;
    for (const least of [1, 10, 20]) {
      const command = startCommand([...args], other, one);
      let hasEnded = false;
      const ended = command.ended.then(() => {
        hasEnded = true;
      });
      while (!hasEnded && changed() < least) await setImmediate();
      command.child.kill('SIGKILL');
      await ended;
      if (least === 1) t.ok(changed() < paths.length, 'the command was killed before its end');
      t.ok(await gives(both), `all links give what they gave, with ${changed()} of ${paths.length} done`);
    }
    t.match(await run([...args], other, one), { code: 0 });
    t.ok((await stored()).every(isSealed));
    t.ok(await gives(both));
    t.match(await run(['doctor'], other, one), { code: 0 });
  });
}

t.test('encrypt marks files that an earlier, killed run sealed', async (t) => {
  const { run, stored, sql, gives } = await gallery(t, 2);
  t.match(await run(['encrypt'], one), { code: 0 });
  const marked = 'select count(*)::int as count from images where sealed and renditions_sealed';
  t.match(await sql(marked), [{ count: 2 }]);
  await sql('update images set sealed = false, renditions_sealed = false');
  const before = await stored();
  t.ok(await gives({ encryptionKey: one }), 'sealed files open, marked or not');
  t.match(await run(['encrypt', '--check'], one), { code: 1, stdout: /2 images not marked as sealed/ });
  t.match(await run(['encrypt'], one), { code: 0, stdout: '0 files sealed, 4 already were.\n' });
  t.match(await sql(marked), [{ count: 2 }]);
  t.same(await stored(), before, 'no byte was written again');
  t.match(await run(['encrypt', '--check'], one), { code: 0 });
});

t.test('doctor, backup and commands name plain bytes stored instead of sealed ones', async (t) => {
  const { run, stored, gives } = await gallery(t, 2, { encryptionKey: one });
  const [file] = (await stored()).filter(({ path }) => path.includes('/originals/'));
  if (!file) throw new Error('no such file');
  await writeFile(file.path, Buffer.alloc(file.bytes.length - 232, 7));
  const plain = /originals\/.*plain bytes are stored where sealed ones belong/s;
  const backup = join(await temporaryFolder(t), 'backup.tar');
  t.match(await run(['doctor'], one), { code: 1, stdout: plain });
  t.match(await run(['backup', backup], one), { code: 1, stderr: plain });
  t.match(await run(['encrypt', '--check'], one), { code: 1, stderr: plain });
  t.match(await run(['rotate-key'], other, one), { code: 1, stderr: plain });
  t.match(await run(['encrypt'], other, one), { code: 1, stderr: /its SHA-256 is/ });

  await writeFile(file.path, file.bytes);
  t.match(await run(['encrypt'], other, one), { code: 0 });
  t.ok(await gives({ encryptionKey: other, encryptionKeyPrevious: [one] }));
});

t.test('encrypt seals the right bytes if they are stored plain instead of sealed', async (t) => {
  const { run, stored, originals, gives } = await gallery(t, 1, { encryptionKey: one });
  const [file] = (await stored()).filter(({ path }) => path.includes('/originals/'));
  if (!file) throw new Error('no such file');
  await writeFile(file.path, originals[0] ?? '');
  t.notOk(await gives({ encryptionKey: one }), 'refused until then');
  t.match(await run(['encrypt'], one), { code: 0, stdout: '1 file sealed, 1 already were.\n' });
  t.ok(await gives({ encryptionKey: one }));
});
