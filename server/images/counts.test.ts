import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { countsHold } from '../testing/collection.ts';
import { createTestDatabase } from '../testing/database.ts';
import { query } from '../testing/embedded.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { miscountedAccounts, recountAccount } from './counts.ts';

t.test('counts that were made wrong by hand are found and counted anew', async (t) => {
  const { url } = await createTestDatabase(t);
  const app = await buildTestApp(t, { databaseUrl: url });
  const [one, other, empty] = [await signIn(app), await signIn(app), await signIn(app)];
  const bytes = await picture();
  const files = [1, 2, 3].map((number) => ({ name: `${number}.png`, bytes }));
  await storeFiles(app, one, files);
  await storeFiles(app, other, files);
  t.same(await miscountedAccounts(app.db), []);

  await query(url, `delete from images where owner_id = '${one.id}' and filename = '2.png'`);
  await query(url, `update users set image_bytes = 5 where id = '${empty.id}'`);
  const wrong = await miscountedAccounts(app.db);
  t.same(
    wrong.sort((a, b) => b.held.images - a.held.images).map(({ id, said, held }) => ({ id, said, held })),
    [
      { id: one.id, said: { images: 3, bytes: 3 * bytes.length }, held: { images: 2, bytes: 2 * bytes.length } },
      { id: empty.id, said: { images: 0, bytes: 5 }, held: { images: 0, bytes: 0 } },
    ],
  );
  // Uploads of the account go on while it is counted.
  const uploads = Promise.all(files.map((file) => storeFiles(app, one, [file])));
  for (const { id } of wrong) await recountAccount(app.db, id);
  await uploads;
  t.ok(await countsHold(url));
  t.same(await miscountedAccounts(app.db), []);
});
