import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import t from 'tap';
import { hideImages } from '../admin/commands/images/queries.ts';
import { setDisabled } from '../auth/queries.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { emptyTarget, startGallery } from '../testing/collections/backup.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { restore } from './restore/restore.ts';

t.test('hidden images and silenced links stay closed in a restored gallery', async (t) => {
  const gallery = await startGallery(t);
  const { app, account } = gallery;
  const other = await signIn(app);
  const file = { name: 'a.png', bytes: await picture() };
  const [hidden] = await storeFiles(app, account, [file]);
  const [open] = await storeFiles(app, account, [file]);
  const [silenced] = await storeFiles(app, other, [file]);
  await hideImages(app.db, [hidden?.id ?? ''], { reason: 'a report', legal: true });
  await setDisabled(app.db, other.id, true, true);
  const archive = join(await temporaryFolder(t), 'backup.tar');
  await gallery.backUp(archive);
  const target = await emptyTarget(t);
  await restore(target, { file: archive });
  const restored = await buildTestApp(t, { databaseUrl: target.url, dataDir: target.dataDir });
  const statuses = [hidden, open, silenced].map(async (image) => {
    const { statusCode } = await restored.inject(new URL(image?.url ?? '').pathname);
    return statusCode;
  });
  t.same(await Promise.all(statuses), [451, 200, 404]);
  const rows = await restored.db.execute(sql`select hidden_reason as reason from images where hidden_at is not null`);
  t.same([...rows], [{ reason: 'a report' }]);
});
