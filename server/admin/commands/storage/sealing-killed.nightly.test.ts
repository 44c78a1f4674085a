import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../../../testing/app.ts';
import { storeFiles } from '../../../testing/form.ts';
import { noise } from '../../../testing/pictures.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { admin, startProcess } from '../../../testing/processes.ts';

t.setTimeout(240_000);

t.test('encrypt removes staged files that killed encrypt commands left', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { url } = await createTestDatabase(t);
  const app = await buildTestApp(t, { dataDir, databaseUrl: url });
  const bytes = await noise(2400, 1800, 'png');
  await storeFiles(app, await signIn(app), [{ name: 'large.png', bytes }]);
  await app.close();
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  const staged = () =>
    readdirSync(join(dataDir, 'files', 'staging'), { recursive: true }).filter((name) => `${name}`.endsWith('.part'));

  const command = startProcess(t, 'admin', ['encrypt'], env);
  let hasEnded = false;
  const ended = command.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await setImmediate();
    if (staged().length === 0) continue;
    command.child.kill('SIGSTOP');
    if (staged().length > 0) break;
    command.child.kill('SIGCONT');
  }
  command.child.kill('SIGKILL');
  await ended;
  t.ok(staged().length > 0, 'the killed command left staged files');
  t.match(await admin(t, ['doctor'], env), { code: 1, stdout: /staging/ });
  t.match(await admin(t, ['encrypt'], env), { code: 0 });
  t.same(staged(), []);
  t.match(await admin(t, ['doctor'], env), { code: 0, stdout: /All is well/ });
});
