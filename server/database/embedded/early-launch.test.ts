import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { temporaryFolder } from '../../testing/postgres/embedded.ts';
import { launchEmbeddedPostgres } from './early-launch.ts';
import { acquireOwnerLock } from './owner-lock.ts';

test('messages from before the logger exists are delivered to it, and the launch does not wait', async (t) => {
  const dataDir = temporaryFolder(t);
  const folder = join(dataDir, 'postgres');
  mkdirSync(folder);
  const command = await acquireOwnerLock(folder, 'command');
  const launched = await launchEmbeddedPostgres(dataDir);
  const messages: string[] = [];
  const log = (message: string) => messages.push(message);
  launched.logTo({ info: log, error: (_, message) => log(message) });
  t.match(messages, [/^Waiting for a command of the administrator/]);
  command.release();
  const postgres = await launched.postgres;
  await postgres.stop();
  t.equal(messages.length, 1);
});

test('a failed start rejects the launch’s promise', async (t) => {
  const dataDir = temporaryFolder(t);
  mkdirSync(join(dataDir, 'postgres'));
  const server = await acquireOwnerLock(join(dataDir, 'postgres'), 'server');
  t.teardown(() => server.release());
  const { postgres } = await launchEmbeddedPostgres(dataDir);
  await t.rejects(postgres, { code: 'DATABASE_START' });
});
