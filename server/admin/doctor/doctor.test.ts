import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { originalKey, thumbnailKey } from '../../images/keys.ts';
import { diskBackend } from '../../storage/disk/backend.ts';
import { moveToLostAndFound } from '../../storage/lost-and-found.ts';
import { signIn, type TestAccount } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { emptied, startGallery } from '../../testing/collections/backup.ts';
import { storedFiles } from '../../testing/disk.ts';
import { storeFiles } from '../../testing/form.ts';
import { addFiles, collector, guestOf, pictures } from '../../testing/guests/collector.ts';
import { noise } from '../../testing/pictures.ts';
import {
  age,
  doctorOf,
  flip,
  hashes,
  longAgo,
  orphanedKeys,
  pairs,
  plant,
  plantFifty,
  upload,
} from '../../testing/postgres/planted-faults.ts';
import { accountWith } from '../../testing/share.ts';
import type { Issue } from './issues.ts';
import { checkOrphanedFiles } from './orphaned-files.ts';

const shared = await startGallery(t);

t.test('the doctor finds all 50 planted faults, and repairs change no live file', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  const examineIt = doctorOf(t, gallery);
  const { expected, live, damaged } = await plantFifty(gallery);
  t.equal(expected.length, 50);

  const before = await hashes(root, live);
  const found = await examineIt();
  t.same(pairs(found.issues), expected);
  t.notOk(found.healthy);
  t.same(await hashes(root, live), before, 'a check changes nothing');

  const repaired = await examineIt({ repair: true });
  t.same(pairs(repaired.issues), expected, 'the repair finds the same issues');
  for (const { kind, subject, repaired: isRepaired } of repaired.issues) {
    t.equal(isRepaired, !kind.startsWith('original'), subject);
  }
  const untouched = live.filter((key) => !damaged.includes(key));
  t.match(await hashes(root, untouched), Object.fromEntries(untouched.map((key) => [key, before[key]])));

  const { issues } = await examineIt();
  t.same(
    pairs(issues),
    expected.filter((each) => each.startsWith('original')),
    'issues that cannot be repaired are still reported',
  );
  const moved = (await storedFiles(gallery.dataDir)).filter((key) => key.startsWith('lost-and-found/'));
  t.equal(moved.length, 20, 'no orphaned file was deleted');
});

t.test('a gallery without faults is healthy with any settings', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 2);
  await age(join(gallery.dataDir, 'files'), await storedFiles(gallery.dataDir));
  const { issues, healthy, images, found } = await doctorOf(t, gallery)({ repair: true });
  t.same(issues, []);
  t.equal(images, 2);
  t.ok(found['setting open'], 'an open default is a hint');
  t.ok(healthy || found['space low']);
});

t.test('--quick finds lost and truncated files without reading them', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  const [flipped, lost, cut] = await upload(gallery, 3);
  if (!flipped || !lost || !cut) throw new Error('not stored');
  await flip(join(root, originalKey(flipped)));
  await rm(join(root, thumbnailKey(lost)));
  await writeFile(join(root, originalKey(cut)), 'short');
  const { issues } = await doctorOf(t, gallery)({ quick: true });
  t.same(pairs(issues), [`original damaged ${originalKey(cut)}`, `rendition missing ${thumbnailKey(lost)}`].sort());
});

t.test('a rendition whose original is damaged is not rebuilt, and the issue names the reason', async (t) => {
  const gallery = await emptied(shared);
  const [image] = await upload(gallery, 1);
  if (!image) throw new Error('not stored');
  const root = join(gallery.dataDir, 'files');
  await flip(join(root, originalKey(image)));
  await rm(join(root, thumbnailKey(image)));
  const { issues } = await doctorOf(t, gallery)({ repair: true });
  t.match(
    issues.find(({ kind }) => kind === 'rendition missing'),
    { repaired: false, detail: /once its original is back/ },
  );
});

t.test('shared bytes are checked once and reported with all their images', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  const bytes = await noise(40, 30, 'png');
  const files = ['a.png', 'b.png', 'c.png'].map((name) => ({ name, bytes }));
  const [first, ...others] = await storeFiles(gallery.app, gallery.account, files);
  const url = `/api/images/delete/${first?.id}`;
  await gallery.app.inject({ method: 'DELETE', url, headers: gallery.account.bearer });
  const content = { id: `${first?.id}`, extension: 'png' };
  await age(root, [originalKey(content), thumbnailKey(content)]);
  t.same(
    (await doctorOf(t, gallery)({ repair: true })).issues,
    [],
    'shared bytes are not orphaned when one image is deleted',
  );
  await rm(join(root, thumbnailKey(content)));
  t.match((await doctorOf(t, gallery)({ repair: true })).issues, [{ kind: 'rendition missing', repaired: true }]);
  await rm(join(root, originalKey(content)));
  const { issues, images } = await doctorOf(t, gallery)();
  t.equal(images, 2);
  t.equal(issues.length, 1);
  t.match(issues[0], { kind: 'original missing', subject: originalKey(content) });
  for (const { id } of others) t.match(issues[0]?.detail, id);
});

t.test('young files are not moved', async (t) => {
  const gallery = await emptied(shared);
  await plant(join(gallery.dataDir, 'files'), `${orphanedKeys()[0]}`, new Date());
  t.same((await doctorOf(t, gallery)({ repair: true })).issues, []);
});

t.test('bytes of an upload or a deletion in progress are not orphaned files', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  const image = { id: randomUUID(), extension: 'png' };
  await plant(root, originalKey(image));
  const number = String(gallery.app.database.processRegistry.number);
  await gallery.sql`insert into orphaned_blobs (image_id, extension, process) values (${image.id}, 'png', ${number}::bigint)`;
  t.same((await doctorOf(t, gallery)({ repair: true })).issues, []);
});

t.test('a file whose row appears between the listing and the move stays', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  const image = { id: randomUUID(), extension: 'png' };
  await plant(root, originalKey(image));
  const issues: Issue[] = [];
  // Runs between the listing and the second check.
  const isOwned = async () => {
    await gallery.sql`insert into orphaned_blobs (image_id, extension, process) values (${image.id}, 'png', 1)`;
    return true;
  };
  await checkOrphanedFiles(
    { db: gallery.app.db, backend: diskBackend(root), isOwned },
    { repair: true, report: (issue) => issues.push(issue) },
  );
  t.same(issues, []);
  t.ok(await stat(join(root, originalKey(image))));
});

t.test('the doctor checks and moves nothing if the storage belongs to another database', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  await plant(root, 'stray.txt');
  const [own] = await gallery.sql`select id from installation`;
  t.teardown(() => gallery.sql`update installation set id = ${own?.id}`);
  await gallery.sql`update installation set id = ${randomUUID()}`;
  const { issues, healthy } = await doctorOf(t, gallery)({ repair: true });
  t.same(pairs(issues), [`storage foreign ${root}`]);
  t.notOk(healthy);
  t.ok(await stat(join(root, 'stray.txt')));
});

t.test('expired images that no server deletes are a hint', async (t) => {
  const gallery = await startGallery(t);
  const files = [{ name: 'a.png', bytes: await noise(40, 30, 'png') }];
  await storeFiles(gallery.app, gallery.account, files, { query: '?expires_in=5m' });
  const examineIt = doctorOf(t, gallery);
  t.same((await examineIt()).issues, []);
  await gallery.sql`update images set expires_at = now() - interval '11 minutes'`;
  t.match(await examineIt(), { healthy: true, issues: [{ kind: 'images overdue', subject: '1 image' }] });
});

t.test('--repair removes what an ended process left', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  const image = { id: randomUUID(), extension: 'png' };
  await plant(root, originalKey(image));
  await gallery.sql`insert into orphaned_blobs (image_id, extension, process) values (${image.id}, 'png', 4611686018427387999)`;
  await plant(root, 'staging/4611686018427387998/half.part');
  const examineIt = doctorOf(t, gallery);
  t.match(await examineIt(), { healthy: false, issues: [{ kind: 'loose bytes' }, { kind: 'loose bytes' }] });
  t.match((await examineIt({ repair: true })).issues, [{ repaired: true }, { repaired: true }]);
  t.same((await examineIt()).issues, []);
  t.same(
    (await storedFiles(gallery.dataDir)).filter((key) => !key.startsWith('staging/')),
    [],
  );
});

t.test('files that a sweep could not remove are not reported as repaired, and the check continues', async (t) => {
  const gallery = await emptied(shared);
  const [image] = await upload(gallery, 1);
  const orphaned = `4611686018427387999`;
  await gallery.sql`insert into orphaned_blobs (image_id, extension, process) values (${randomUUID()}, 'png', ${orphaned}::bigint)`;
  // Like a read-only disk: the rows change owner, their bytes stay.
  const own = String(gallery.app.database.processRegistry.number);
  const failing = async () => {
    await gallery.sql`update orphaned_blobs set process = ${own}::bigint`;
    throw new Error('the disk is read-only');
  };
  await rm(join(gallery.dataDir, 'files', thumbnailKey(image ?? { id: '' })));
  t.match(await doctorOf(t, gallery, failing)({ repair: true }), {
    healthy: false,
    issues: [
      { kind: 'loose bytes', repaired: false, detail: /not removed: the disk is read-only/ },
      { kind: 'rendition missing', repaired: true },
    ],
  });
});

t.test('an unreadable folder is an issue, and lost+found of fsck is not', async (t) => {
  const gallery = await emptied(shared);
  const root = join(gallery.dataDir, 'files');
  await upload(gallery, 1);
  t.teardown(async () => {
    await rm(join(root, 'screens'));
    await mkdir(join(root, 'screens'));
  });
  await rm(join(root, 'screens'), { recursive: true });
  await writeFile(join(root, 'screens'), 'no folder');
  await utimes(join(root, 'screens'), longAgo, longAgo);
  await plant(root, 'lost+found/#12');
  await plant(root, 'originals/lost+found/#13');
  const { issues } = await doctorOf(t, gallery)();
  t.match(issues, [
    { kind: 'folder unreadable', subject: 'screens', detail: 'ENOTDIR' },
    { kind: 'stray file', subject: 'screens' },
  ]);
});

t.test('a collection behind a symbolic link is checked', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  await upload(gallery, 1);
  const elsewhere = join(await temporaryFolder(t), 'originals');
  await cp(join(root, 'originals'), elsewhere, { recursive: true });
  await rm(join(root, 'originals'), { recursive: true });
  await symlink(elsewhere, join(root, 'originals'));
  const orphanedFile = await plant(root, `${orphanedKeys()[0]}`);
  await age(root, await storedFiles(gallery.dataDir));
  t.same(pairs((await doctorOf(t, gallery)()).issues), [`stray file ${orphanedFile}`]);
});

t.test('orphaned files are moved without overwriting on file systems without hard links', async (t) => {
  const root = await temporaryFolder(t);
  const linkFile = async () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'link' });
  };
  const options = { day: '2026-01-01', olderThan: Date.now(), linkFile };
  const moved: (string | undefined)[] = [];
  for (const _ of [1, 2]) {
    await plant(root, 'originals/a.txt');
    moved.push(await moveToLostAndFound(root, 'originals/a.txt', options));
  }
  t.equal(moved[0], 'lost-and-found/2026-01-01/originals/a.txt');
  t.match(moved[1], /a\.txt\.[0-9a-f-]{36}$/);
  for (const key of moved) t.equal(await readFile(join(root, `${key}`), 'utf8'), 'stray');
  await t.rejects(stat(join(root, 'originals/a.txt')), { code: 'ENOENT' });
});

t.test('counts that bypassed the triggers are corrected', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 2);
  const counts = () => gallery.sql`select * from image_counts order by span, place`;
  const before = [...(await counts())];
  await gallery.sql`update image_counts set count = 7 where span = 63`;
  await gallery.sql`delete from image_counts where span = 20`;
  await gallery.sql`insert into image_counts values (${gallery.account.id}, 30, 5, 1)`;
  const { issues } = await doctorOf(t, gallery)({ repair: true });
  t.match(issues, [{ kind: 'page counts', subject: gallery.account.id, repaired: true }]);
  t.same([...(await counts())], before);
  t.same((await doctorOf(t, gallery)()).issues, []);
});

t.test('wrong sums of an account are corrected', async (t) => {
  const gallery = await emptied(shared);
  await upload(gallery, 2);
  const sums = () => gallery.sql`select image_count, image_bytes from users`;
  const before = [...(await sums())];
  await gallery.sql`update users set image_count = 7, image_bytes = 1`;
  const { issues } = await doctorOf(t, gallery)({ repair: true });
  t.match(issues, [{ kind: 'account sums', subject: gallery.account.id, repaired: true }]);
  t.same([...(await sums())], before);
});

t.test('an image deleted during the check is not an issue', async (t) => {
  const gallery = await emptied(shared);
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
  t.same((await doctorOf(t, slow)()).issues, []);
});

t.test('the doctor finds and ends a token that is restricted to the album of another account', async (t) => {
  const gallery = await emptied(shared);
  const { app, account, sql } = gallery;
  const album = async ({ bearer }: TestAccount): Promise<string> => {
    const payload = { name: 'Trip' };
    return (await app.inject({ method: 'POST', url: '/api/albums', headers: bearer, payload })).json().album.id;
  };
  const own = await album(account);
  const kept = await createApiToken(app, account, ['images:read'], { album: own });
  const wrong = await createApiToken(app, account, ['images:read'], { album: own });
  await sql`update api_tokens set album_id = ${await album(await signIn(app))} where id = ${wrong.id}`;
  const examineIt = doctorOf(t, gallery);
  const found = (await examineIt()).issues.filter(({ kind }) => kind === 'token album');
  t.same(found, [{ kind: 'token album', subject: wrong.id, repaired: false }]);
  await examineIt({ repair: true });
  t.same([...(await sql`select id from api_tokens`)], [{ id: kept.id }]);
});

t.test('the doctor finds and deletes shares that show the album or an image of another account', async (t) => {
  const gallery = await emptied(shared);
  const { app, sql } = gallery;
  const [one, other] = [await accountWith(app), await accountWith(app)];
  const [kept, ofAlbum, ofImage] = [await one.share(), await one.share(), await one.share()];
  await sql`update shares set album_id = ${(await other.album()).id} where id = ${ofAlbum.id}`;
  await sql`update share_images set image_id = ${other.ids[0] ?? ''} where share_id = ${ofImage.id}`;
  const examineIt = doctorOf(t, gallery);
  const found = (await examineIt()).issues.filter(({ kind }) => kind === 'share owner');
  t.same(
    found,
    [ofAlbum.id, ofImage.id].sort().map((subject) => ({ kind: 'share owner', subject, repaired: false })),
  );
  await examineIt({ repair: true });
  t.same([...(await sql`select id from shares`)], [{ id: kept.id }]);
});

t.test(
  'the doctor finds and deletes collect links for the album, with an image, or with a guest of another one',
  async (t) => {
    const gallery = await emptied(shared);
    const { app, sql } = gallery;
    const [one, other] = [await collector(app), await collector(app)];
    const [kept, ofAlbum, ofImage, ofGuest] = [await one.link(), await one.link(), await one.link(), await one.link()];
    const theirs = await other.link();
    await addFiles(app, theirs.path, await guestOf(app, theirs.path), await pictures(['a.png']));
    await sql`update collect_links set album_id = ${other.album} where id = ${ofAlbum.id}`;
    await sql`update collected_images set link_id = ${ofImage.id}`;
    await addFiles(app, ofGuest.path, await guestOf(app, ofGuest.path), await pictures(['b.png']));
    await sql`update collect_guests set link_id = ${kept.id} where link_id = ${ofGuest.id}`;
    const examineIt = doctorOf(t, gallery);
    const found = (await examineIt()).issues.filter(({ kind }) => kind === 'collect link owner');
    t.same(
      found,
      [ofAlbum.id, ofImage.id, ofGuest.id]
        .sort()
        .map((subject) => ({ kind: 'collect link owner', subject, repaired: false })),
    );
    await examineIt({ repair: true });
    t.same([...(await sql`select id from collect_links order by id`)], [{ id: kept.id }, { id: theirs.id }]);
    t.equal((await sql`select 1 from images`).length, 2, 'the images stay');
  },
);

t.test("the doctor finds and empties a stable link to another account's image", async (t) => {
  const gallery = await emptied(shared);
  const { app, account, sql } = gallery;
  const store = async (owner: TestAccount) => {
    const [image] = await storeFiles(app, owner, [{ name: 'a.png', bytes: await noise(40, 30, 'png') }]);
    return image?.id ?? '';
  };
  const [own, theirs] = [await store(account), await store(await signIn(app))];
  for (const name of ['right', 'wrong']) {
    const payload = { name, image: own };
    await app.inject({ method: 'POST', url: '/api/stable-links', headers: account.bearer, payload });
  }
  const [wrong] = await sql`update stable_links set image_id = ${theirs} where name = 'wrong' returning id`;
  const examineIt = doctorOf(t, gallery);
  const found = (await examineIt()).issues.filter(({ kind }) => kind === 'stable link image');
  t.same(found, [{ kind: 'stable link image', subject: wrong?.id, repaired: false }]);
  await examineIt({ repair: true });
  t.same(
    [...(await sql`select name, image_id from stable_links order by name`)],
    [
      { name: 'right', image_id: own },
      { name: 'wrong', image_id: null },
    ],
  );
});
