import t from 'tap';
import { testConfig } from '../../../testing/app.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { Interrupted } from './failures.ts';
import { createShell } from './shell.ts';

t.test('a command interrupted while the database opens does not start its work', async (t) => {
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
