import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createApiToken } from '../testing/api-token.ts';
import { temporaryFolder } from '../testing/app.ts';
import { emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { openArchive } from './archive/reader.ts';
import { partLines } from './part-lines.ts';
import { restore } from './restore/restore.ts';

t.test('a backup contains no API token, and a restore leaves none', async (t) => {
  const gallery = await startGallery(t);
  await storeFiles(gallery.app, gallery.account, [{ name: 'a.png', bytes: await picture() }]);
  const { id, start } = await createApiToken(gallery.app, gallery.account, ['images:upload']);
  const [row] = await gallery.sql`select secret_hash as hash from api_tokens`;
  const file = join(await temporaryFolder(t), 'backup.tar');
  const { manifest } = await gallery.backUp(file);
  t.notOk(manifest.tables.some(({ name }) => name === 'api_tokens'));

  const archive = await openArchive(file);
  const parts = [...manifest.tables, manifest.files].flatMap((table) => table.parts);
  const lines = (await Promise.all(parts.map((part) => partLines(archive, part)))).flat();
  await archive.close();
  t.ok(
    lines.some((line) => line.includes(gallery.account.id)),
    'the lines are readable',
  );
  const text = `${lines.join('\n')}\n${await readFile(file, 'latin1')}`;
  for (const part of [id, row?.hash, start]) t.notOk(text.includes(part), part);

  const target = await emptyTarget(t);
  await restore(target, { file });
  t.equal((await target.sql`select 1 from users`).length, 1);
  t.equal((await target.sql`select 1 from api_tokens`).length, 0);
});
