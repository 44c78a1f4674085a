import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { createRebuilder } from '../commands/rebuilder.ts';
import { originalKey, thumbnailKey } from '../images/keys.ts';
import { testConfig } from '../testing/app.ts';
import { type Gallery, startGallery } from '../testing/backup.ts';
import { storedFiles } from '../testing/disk.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { type Diagnosis, type DoctorOptions, examine } from './doctor.ts';
import type { Finding, Kind } from './findings.ts';
import { checkStrays } from './strays.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const longAgo = new Date(Date.now() - 2 * 3_600_000);

async function upload({ app, account }: Gallery, count: number) {
  const files = Array.from({ length: count }, async (_, number) => ({
    name: `${number}.png`,
    bytes: await noise(30 + number, 24, 'png'),
  }));
  const images = await storeFiles(app, account, await Promise.all(files));
  return images.map(({ id }) => ({ id, extension: 'png' }));
}

type Examined = Diagnosis & { findings: Finding[] };

function doctorOf(t: Test, { app, dataDir }: Gallery) {
  const root = join(dataDir, 'files');
  return async (options: Partial<DoctorOptions> = {}): Promise<Examined> => {
    const config = await testConfig(t, { dataDir, rateLimit: 'on' });
    const rebuilder = createRebuilder(app.db, app.storage, config);
    const { isAlive } = app.presence;
    const findings: Finding[] = [];
    try {
      const parts = {
        db: app.db,
        storage: app.storage,
        root,
        config,
        isAlive,
        sweep: app.sweep,
        rebuild: rebuilder.rebuild,
      };
      const diagnosis = await examine(parts, { report: (finding) => findings.push(finding), ...options });
      return { ...diagnosis, findings: findings.filter(({ kind }) => !/^(setting|space)/.test(kind)) };
    } finally {
      await rebuilder.close();
    }
  };
}

/** Changes one bit, and nothing else of it, its time included. */
async function flip(path: string): Promise<void> {
  const [bytes, { atime, mtime }] = await Promise.all([readFile(path), stat(path)]);
  bytes.writeUInt8(bytes.readUInt8(40) ^ 4, 40);
  await writeFile(path, bytes);
  await utimes(path, atime, mtime);
}

async function plant(root: string, key: string, modified = longAgo): Promise<string> {
  await mkdir(dirname(join(root, key)), { recursive: true });
  await writeFile(join(root, key), 'stray');
  await utimes(join(root, key), modified, modified);
  return key;
}

/** All live files look old, as after a year of running. */
async function age(root: string, keys: string[]): Promise<void> {
  for (const key of keys) await utimes(join(root, key), longAgo, longAgo).catch(() => undefined);
}

const strayKeys = () => {
  const id = randomUUID();
  return [
    `originals/${id.slice(-2)}/${id}.png`,
    `thumbnails/${id.slice(-2)}/${id}.webp`,
    `screens/ab/${id}.webp`,
    `originals/notes ${id}.txt`,
    `${id}.mark`,
  ];
};

const pairs = (findings: Finding[]) => findings.map(({ kind, subject }) => `${kind} ${subject}`).sort();

async function hashes(root: string, keys: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(keys.map(async (key) => [key, sha256Of(await readFile(join(root, key)))])),
  );
}

t.test('of 50 planted faults 50 are found, and no live file is touched by their repair', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  const examineIt = doctorOf(t, gallery);
  const images = await upload(gallery, 34);
  const expected: string[] = [];
  const expect = (kind: Kind, key: string) => expected.push(`${kind} ${key}`);

  for (const image of images.slice(0, 10)) {
    await flip(join(root, originalKey(image)));
    expect('original damaged', originalKey(image));
  }
  for (const image of images.slice(10, 18)) {
    await rm(join(root, originalKey(image)));
    expect('original missing', originalKey(image));
  }
  for (const image of images.slice(18, 25)) {
    await flip(join(root, thumbnailKey(image)));
    expect('rendition damaged', thumbnailKey(image));
  }
  for (const image of images.slice(25, 30)) {
    await rm(join(root, thumbnailKey(image)));
    expect('rendition missing', thumbnailKey(image));
  }
  const live = (await storedFiles(gallery.dataDir)).filter((key) =>
    /^(originals|thumbnails|screens|install)/.test(key),
  );
  await age(root, live);
  for (const key of [1, 2, 3, 4].flatMap(strayKeys)) expect('stray file', await plant(root, key));
  t.equal(expected.length, 50);

  const before = await hashes(root, live);
  const found = await examineIt();
  t.same(pairs(found.findings), expected.sort());
  t.notOk(found.healthy);
  t.same(await hashes(root, live), before, 'looking changes nothing');

  const repaired = await examineIt({ repair: true });
  t.same(pairs(repaired.findings), expected, 'the same are found');
  for (const { kind, subject, repaired: mended } of repaired.findings) {
    t.equal(mended, !kind.startsWith('original'), subject);
  }
  const flipped = new Set(images.slice(18, 25).map(thumbnailKey));
  const untouched = live.filter((key) => !flipped.has(key));
  t.match(await hashes(root, untouched), Object.fromEntries(untouched.map((key) => [key, before[key]])));

  const { findings } = await examineIt();
  t.same(
    pairs(findings),
    expected.filter((each) => each.startsWith('original')),
    'what cannot be mended is still told',
  );
  const moved = (await storedFiles(gallery.dataDir)).filter((key) => key.startsWith('lost-and-found/'));
  t.equal(moved.length, 20, 'nothing stray was deleted');
});

t.test('a gallery without a fault is healthy, whatever its settings', async (t) => {
  const gallery = await startGallery(t);
  await upload(gallery, 2);
  await age(join(gallery.dataDir, 'files'), await storedFiles(gallery.dataDir));
  const { findings, healthy, images, found } = await doctorOf(t, gallery)({ repair: true });
  t.same(findings, []);
  t.equal(images, 2);
  t.ok(found['setting open'], 'what is open by default is a hint');
  t.ok(healthy || found['space low']);
});

t.test('--quick sees what is lost or cut, and reads nothing', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  const [flipped, lost, cut] = await upload(gallery, 3);
  if (!flipped || !lost || !cut) throw new Error('not stored');
  await flip(join(root, originalKey(flipped)));
  await rm(join(root, thumbnailKey(lost)));
  await writeFile(join(root, originalKey(cut)), 'short');
  const { findings } = await doctorOf(t, gallery)({ quick: true });
  t.same(pairs(findings), [`original damaged ${originalKey(cut)}`, `rendition missing ${thumbnailKey(lost)}`].sort());
});

t.test('young files stay where they are, whoever they belong to', async (t) => {
  const gallery = await startGallery(t);
  await plant(join(gallery.dataDir, 'files'), `${strayKeys()[0]}`, new Date());
  t.same((await doctorOf(t, gallery)({ repair: true })).findings, []);
});

t.test('bytes of an upload or a deletion under way are no strays', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  const image = { id: randomUUID(), extension: 'png' };
  await plant(root, originalKey(image));
  const number = String(gallery.app.presence.number);
  await gallery.sql`insert into loose_bytes (image_id, extension, process) values (${image.id}, 'png', ${number}::bigint)`;
  t.same((await doctorOf(t, gallery)({ repair: true })).findings, []);
});

t.test('a file whose row appears between the list and the move stays', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  const image = { id: randomUUID(), extension: 'png' };
  await plant(root, originalKey(image));
  const findings: Finding[] = [];
  // The last question before the second look: the moment between.
  const isOurs = async () => {
    await gallery.sql`insert into loose_bytes (image_id, extension, process) values (${image.id}, 'png', 1)`;
    return true;
  };
  await checkStrays(
    { db: gallery.app.db, root, isOurs },
    { repair: true, report: (finding) => findings.push(finding) },
  );
  t.same(findings, []);
  t.ok(await stat(join(root, originalKey(image))));
});

t.test('with another database’s storage nothing is looked at, and nothing moved', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  await plant(root, 'stray.txt');
  await gallery.sql`update installation set id = ${randomUUID()}`;
  const { findings, healthy } = await doctorOf(t, gallery)({ repair: true });
  t.same(pairs(findings), [`storage foreign ${root}`]);
  t.notOk(healthy);
  t.ok(await stat(join(root, 'stray.txt')));
});

t.test('what an ended process left is found, and removed by --repair', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  const image = { id: randomUUID(), extension: 'png' };
  await plant(root, originalKey(image));
  await gallery.sql`insert into loose_bytes (image_id, extension, process) values (${image.id}, 'png', 4611686018427387999)`;
  await plant(root, 'staging/4611686018427387998/half.part');
  const examineIt = doctorOf(t, gallery);
  t.match(await examineIt(), { healthy: false, findings: [{ kind: 'loose bytes' }, { kind: 'loose bytes' }] });
  t.match((await examineIt({ repair: true })).findings, [{ repaired: true }, { repaired: true }]);
  t.same((await examineIt()).findings, []);
  t.same(
    (await storedFiles(gallery.dataDir)).filter((key) => !key.startsWith('staging/')),
    [],
  );
});

t.test('wrong sums of an account are corrected', async (t) => {
  const gallery = await startGallery(t);
  await upload(gallery, 2);
  const sums = () => gallery.sql`select image_count, image_bytes from users`;
  const before = [...(await sums())];
  await gallery.sql`update users set image_count = 7, image_bytes = 1`;
  const { findings } = await doctorOf(t, gallery)({ repair: true });
  t.match(findings, [{ kind: 'account sums', subject: gallery.account.id, repaired: true }]);
  t.same([...(await sums())], before);
});

t.test('an image deleted while the doctor looks is no finding', async (t) => {
  const gallery = await startGallery(t);
  const images = await upload(gallery, 3);
  const last = images.map(({ id }) => id).sort()[2];
  const url = `/api/images/delete/${last}`;
  let deletion: Promise<unknown> | undefined;
  const { app } = gallery;
  const read: typeof app.storage.read = async (key) => {
    deletion ??= app.inject({ method: 'DELETE', url, headers: gallery.account.bearer }).then((answer) => answer);
    await deletion;
    return app.storage.read(key);
  };
  const slow = { ...gallery, app: Object.create(app, { storage: { value: { ...app.storage, read } } }) };
  t.same((await doctorOf(t, slow)()).findings, []);
});
