import t from 'tap';
import { testConfig } from '../../../testing/app.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { Interrupted } from './failures.ts';
import { createShell } from './shell.ts';

t.test('what was broken off while the database was opened is not begun', async (t) => {
  const { url } = await createTestDatabase(t);
  const config = await testConfig(t, { databaseUrl: url });
  const shell = createShell(() => config, AbortSignal.abort());
  let begun = false;
  const work = shell.withAdmin(async () => {
    begun = true;
  });
  await t.rejects(work, new Interrupted());
  t.notOk(begun);
});
