import { join } from 'node:path';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { temporaryFolder } from '../testing/app.ts';
import { emptied, emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';
import { restore } from './restore/restore.ts';
import { verifyBackup } from './verify.ts';

const started = await startGallery(t);

async function withLinks() {
  const gallery = await emptied(started);
  const { app, account } = gallery;
  const files = ['kept', 'gone'].map(async (name) => ({ name: `${name}.png`, bytes: await noise(40, 30, 'png') }));
  const images = await storeFiles(app, account, await Promise.all(files));
  const ids = images.map(({ id }) => id);
  const headers = account.bearer;
  for (const [index, name] of ['logo', 'banner'].entries()) {
    const payload = { name, image: ids[index] };
    await app.inject({ method: 'POST', url: '/api/stable-links', headers, payload });
  }
  return { gallery, ids, file: join(await temporaryFolder(t), 'backup.tar') };
}

t.test('a restore brings back stable links, and leaves the name of one whose image is missing', async (t) => {
  const { gallery, ids, file } = await withLinks();
  let gone = false;
  await gallery.backUp(file, {
    async onRead() {
      if (gone) return;
      gone = true;
      const url = `/api/images/delete/${ids[1]}`;
      await gallery.app.inject({ method: 'DELETE', url, headers: gallery.account.bearer });
    },
  });
  t.match(await verifyBackup({ file }), { snapshots: 1, problems: 0 });
  const target = await emptyTarget(t);
  await restore(target, { file });
  const rows = ({ sql }: Pick<typeof target, 'sql'>) =>
    sql`select id, owner_id, name, image_id, created_at, changed_at from stable_links order by name`;
  const restored = await rows(target);
  t.match(
    [...restored],
    [
      { name: 'banner', image_id: null },
      { name: 'logo', image_id: ids[0] },
    ],
  );
  t.same([...restored], [...(await rows(gallery))]);
});

t.test("a backup with a stable link to another user's image is not restored", async (t) => {
  const { gallery, file } = await withLinks();
  const [theirs] = await storeFiles(gallery.app, await signIn(gallery.app), [
    { name: 'a.png', bytes: await noise(30, 30, 'png') },
  ]);
  await gallery.sql`update stable_links set image_id = ${theirs?.id ?? ''} where name = 'logo'`;
  await gallery.backUp(file);
  const target = await emptyTarget(t);
  await t.rejects(restore(target, { file }), { message: /stable link to an image that is not its owner's/ });
  t.equal((await target.sql`select 1 from images`).length, 0);
});
