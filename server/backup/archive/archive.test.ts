import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import { temporaryFolder } from '../../testing/app.ts';
import type { Manifest } from '../manifest.ts';
import { openBackupFile } from './file.ts';
import { openArchive } from './reader.ts';
import { sealOf } from './survey.ts';
import { CLOSING, decodeHeader, encodeHeader, padded } from './tar-header.ts';

const run = promisify(execFile);
const installation = '11111111-2222-4333-8444-555555555555';

function manifestOf(time: string): Manifest {
  const files = { count: 0, bytes: 0, missing: 0, damaged: 0, parts: [] };
  return { format: 1, program: '0.1.0', time, installation, schema: 1, tables: [], files };
}

async function append(path: string, time: string, objects: Uint8Array[]): Promise<number> {
  const file = await openBackupFile(path, { installation, full: false });
  for (const object of objects) await file.writer.putBytes(object);
  await file.writer.seal(manifestOf(time));
  await file.finish();
  return file.writer.added().objects;
}

/** Leaves what a process killed during an append leaves: whole entries and an unfinished one. */
async function interrupt(path: string, objects: Uint8Array[]): Promise<void> {
  const file = await openBackupFile(path, { installation, full: false });
  for (const object of objects) await file.writer.putBytes(object);
  await file.finish();
  await truncate(path, (await stat(path)).size - 700);
}

const first = '2026-01-01T00:00:00.000Z';
const second = '2026-01-02T00:00:00.000Z';

async function archiveAt(t: Test, path: string) {
  const archive = await openArchive(path);
  t.teardown(() => archive.close());
  return archive;
}

t.test('a header with any size survives encoding and decoding', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (size) => {
      const name = 'objects/0';
      t.same(decodeHeader(encodeHeader({ name, size }, new Date())), { name, size });
    }),
    { examples: [[8 ** 11 - 1], [8 ** 11], [8 ** 12 + 1], [0], [Number.MAX_SAFE_INTEGER]], numRuns: 50 },
  );
});

t.test('GNU tar reads the size of an object of nine gigabytes', async (t) => {
  const path = join(await temporaryFolder(t), 'large.tar');
  const size = 9 * 2 ** 30;
  const file = await open(path, 'w');
  await file.write(encodeHeader({ name: 'objects/large', size }, new Date()));
  await file.truncate(512 + size + CLOSING);
  await file.close();
  const { stdout } = await run('tar', ['--list', '--verbose', '--file', path]);
  t.match(stdout, ` ${size} `);
});

t.test('tar lists and extracts a backup with several snapshots', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'backup.tar');
  const objects = [randomBytes(10), randomBytes(512), randomBytes(5000)];
  await append(path, first, objects.slice(0, 2));
  await append(path, second, objects);
  const { stdout } = await run('tar', ['--list', '--file', path]);
  const names = objects.map((object) => `objects/${sha256Of(object)}`);
  t.same(stdout.trim().split('\n'), [
    'gallery-backup.json',
    ...names.slice(0, 2),
    `snapshots/${first}/manifest.json`,
    `snapshots/${first}/manifest.sha256`,
    names[2],
    `snapshots/${second}/manifest.json`,
    `snapshots/${second}/manifest.sha256`,
  ]);
  await run('tar', ['--extract', '--file', path, '--directory', folder]);
  for (const object of objects) t.same(await readFile(join(folder, 'objects', sha256Of(object))), object);
  await run('sha256sum', ['--check', 'manifest.sha256'], { cwd: join(folder, 'snapshots', second) });
});

t.test('an object that the file already holds is not written again', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  const object = randomBytes(1000);
  t.equal(await append(path, first, [object, object]), 1);
  t.equal(await append(path, second, [object]), 0);
  const archive = await archiveAt(t, path);
  t.same(await archive.readObject(sha256Of(object)), object);
});

t.test('readers skip an interrupted append, and the next append overwrites it', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  const [kept, lost, later] = [randomBytes(3000), randomBytes(9000), randomBytes(700)];
  await append(path, first, [kept]);
  const whole = (await readFile(path)).subarray(0, -CLOSING);
  await interrupt(path, [lost, later]);

  const before = await archiveAt(t, path);
  t.same(
    before.snapshots.map(({ time }) => time),
    [first],
  );
  t.ok(before.left > 0);
  t.same(before.gaps, [], 'an interrupted append is not damage');

  t.equal(await append(path, second, [kept, later]), 1);
  const after = await archiveAt(t, path);
  t.same(
    after.snapshots.map(({ time }) => time),
    [first, second],
  );
  t.equal(after.left, 0);
  t.same(await after.readObject(sha256Of(later)), later);
  t.rejects(after.readObject(sha256Of(lost)), { code: 'BACKUP' });
  t.same((await readFile(path)).subarray(0, whole.length), whole, 'the first snapshot is unchanged');
});

const third = '2026-01-03T00:00:00.000Z';

/** A picture followed by the blocks of a whole snapshot and an object that claims another's hash. */
function forgery(claimed: Uint8Array): Buffer {
  const entry = (name: string, body: Buffer) =>
    Buffer.concat([
      encodeHeader({ name, size: body.length }, new Date()),
      body,
      Buffer.alloc(padded(body.length) - body.length),
    ]);
  const manifest = Buffer.from(JSON.stringify(manifestOf(third)));
  return Buffer.concat([
    randomBytes(1024),
    entry(`objects/${sha256Of(claimed)}`, randomBytes(claimed.length)),
    entry(`snapshots/${third}/manifest.json`, manifest),
    entry(`snapshots/${third}/manifest.sha256`, Buffer.from(sealOf(manifest))),
    randomBytes(100_000),
  ]);
}

t.test('a picture cut off by a killed backup cannot forge a snapshot, for the reader or for tar', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'backup.tar');
  const kept = randomBytes(3000);
  await append(path, first, [kept]);
  // Leaves an old header where the picture's header will be written.
  await interrupt(path, [randomBytes(100), randomBytes(9000)]);
  const file = await openBackupFile(path, { installation, full: false });
  const killed = async function* () {
    yield forgery(kept);
    throw new Error('killed');
  };
  await t.rejects(file.writer.putObject(killed()), { message: 'killed' });
  await file.finish();

  const times = async () => (await archiveAt(t, path)).snapshots.map(({ time }) => time);
  t.same(await times(), [first]);
  t.same(await (await archiveAt(t, path)).readObject(sha256Of(kept)), kept);
  await run('tar', ['--extract', '--file', path, '--directory', folder]).catch(() => undefined);
  t.same(await readdir(join(folder, 'snapshots')), [first]);
  t.same(await readFile(join(folder, 'objects', sha256Of(kept))), kept);
  await append(path, second, [kept]);
  t.same(await times(), [first, second]);
});

t.test('real snapshots are found after a forged one whose preceding header is damaged', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  const kept = randomBytes(3000);
  const evil = forgery(kept);
  await append(path, first, [evil, kept]);
  await append(path, second, []);
  const bytes = await readFile(path);
  const header = bytes.indexOf(`objects/${sha256Of(evil)}`);
  bytes.writeUInt8(bytes.readUInt8(header + 30) ^ 1, header + 30);
  await writeFile(path, bytes);
  const archive = await archiveAt(t, path);
  t.same(
    archive.snapshots.map(({ time }) => time),
    [first, second],
  );
  t.same(await archive.readObject(sha256Of(kept)), kept);
});

t.test('a draft file that this installation did not write is not removed', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  await writeFile(`${path}.part`, 'Half a novel. '.repeat(200));
  await t.rejects(openBackupFile(path, { installation, full: false }), { message: /\.part is in the way/ });
  t.match(await readFile(`${path}.part`, 'utf8'), /^Half a novel/);
});

t.test('an abandoned append leaves the file unchanged', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  await append(path, first, [randomBytes(3000)]);
  const before = await readFile(path);
  const file = await openBackupFile(path, { installation, full: false });
  await file.writer.putBytes(randomBytes(100_000));
  await file.abandon();
  t.same(await readFile(path), before);
});

t.test('snapshots after a damaged header are found, and uncertain objects are stored again', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  const objects = [randomBytes(3000), randomBytes(4000), randomBytes(5000)];
  await append(path, first, objects.slice(0, 2));
  await append(path, second, objects);
  const bytes = await readFile(path);
  const header = bytes.indexOf(`objects/${sha256Of(objects[1] as Buffer)}`);
  bytes.writeUInt8(bytes.readUInt8(header + 30) ^ 1, header + 30);
  await writeFile(path, bytes);

  const archive = await archiveAt(t, path);
  t.same(
    archive.snapshots.map(({ time }) => time),
    [first, second],
  );
  t.match(archive.gaps, [{ at: header }]);
  t.rejects(archive.readObject(sha256Of(objects[1] as Buffer)), { code: 'BACKUP' });
  t.same(await archive.readObject(sha256Of(objects[2] as Buffer)), objects[2]);

  t.equal(await append(path, '2026-01-03T00:00:00.000Z', objects), 2);
  const resumed = await archiveAt(t, path);
  for (const object of objects) t.same(await resumed.readObject(sha256Of(object)), object);
});

t.test('a snapshot with a changed manifest does not count', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  await append(path, first, [randomBytes(10)]);
  await append(path, second, [randomBytes(10)]);
  const bytes = await readFile(path);
  bytes[bytes.lastIndexOf('"0.1.0"') + 1] = 0x39;
  await writeFile(path, bytes);
  t.same(
    (await archiveAt(t, path)).snapshots.map(({ time }) => time),
    [first],
  );
});

t.test('only a backup of the same installation is appended to', async (t) => {
  const folder = await temporaryFolder(t);
  const letter = join(folder, 'letter.txt');
  await writeFile(letter, 'Dear all, '.repeat(200));
  await t.rejects(openBackupFile(letter, { installation, full: true }), { message: /is not a backup of this program/ });
  await t.rejects(openBackupFile(folder, { installation, full: true }), { message: /is not a file/ });
  const other = join(folder, 'backup.tar');
  await append(other, first, []);
  const foreign = { installation: installation.replaceAll('1', '9'), full: true };
  await t.rejects(openBackupFile(other, foreign), { message: /is a backup of another installation/ });
  t.match(await readFile(letter, 'utf8'), /^Dear all/);
});

t.test('a new file gets its name only when complete, and only its owner can read it', async (t) => {
  const path = join(await temporaryFolder(t), 'backup.tar');
  await append(path, first, [randomBytes(10)]);
  const before = await readFile(path);
  const file = await openBackupFile(path, { installation, full: true });
  await file.writer.seal(manifestOf(second));
  t.same(await readFile(path), before);
  await file.finish();
  t.same(
    (await archiveAt(t, path)).snapshots.map(({ time }) => time),
    [second],
  );
  t.equal((await stat(path)).mode & 0o777, 0o600);
});
