/** An administrator runs the backup commands while a server works. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openBackupFile } from '../../../backup/archive/file.ts';
import { openArchive } from '../../../backup/archive/reader.ts';
import { backUpBesideServer } from '../../../testing/collections/backup-beside.ts';
import { account, newEnvironment, upload } from '../../../testing/collections/whole-gallery.ts';
import { storedFiles } from '../../../testing/disk.ts';
import { query, temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

t.test('a backup made during uploads and deletions is restored whole, on the embedded database', (t) =>
  backUpBesideServer(t, 'the embedded database'),
);

t.test('a restore of files damaged before their backup exits with 1 and reports how many', async (t) => {
  const from = await newEnvironment(t, 'DATABASE_URL');
  const server = await startServer(t, from);
  await upload(server, await account(server), 2);
  const [key] = (await storedFiles(from.DATA_DIR)).filter((each) => each.startsWith('originals/'));
  await writeFile(join(from.DATA_DIR, 'files', `${key}`), 'no picture any more');
  await query(
    `${from.DATABASE_URL}`,
    `insert into totp_secrets (user_id, secret, confirmed_at) select id, 'v1.sealed', now() from users`,
  );
  const file = join(temporaryFolder(t), 'backup.tar');
  t.equal((await admin(t, ['backup', file], from)).code, 1);
  t.match(await admin(t, ['restore', file], await newEnvironment(t, 'DATABASE_URL')), {
    code: 1,
    stdout: /^Restored the snapshot /,
    stderr:
      /^1 authenticator app in the backup cannot be checked .+ JWT_SECRET .+\n0 files were lost and 1 damaged before the backup was made/,
  });

  // Names in a backup must not move the cursor of the administrator's terminal.
  const archive = await openArchive(file);
  const { installation } = archive.header;
  await archive.close();
  const written = await openBackupFile(file, { installation, full: true });
  const files = { count: 0, bytes: 0, missing: 0, damaged: 0, parts: [] };
  const rest = { time: '2031-01-01T00:00:00.000Z', installation, schema: 1.9e12, tables: [], files };
  await written.writer.seal({ format: 1, program: '9\u001b[2J', ...rest });
  await written.finish();
  const refused = await admin(t, ['restore', file], await newEnvironment(t, 'DATABASE_URL'));
  t.match(refused, { code: 1, stderr: /^The snapshot \S+ was made by version 9,/ });
});

t.test('invalid arguments are wrong usage, and unreadable files are reported in one line', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t) };
  t.equal((await admin(t, ['backup'], env)).code, 2);
  t.equal((await admin(t, ['restore', '--list', '--verify', 'x.tar'], env)).code, 2);
  t.match(await admin(t, ['restore', '--list', '/nowhere.tar'], env), {
    code: 1,
    stderr: 'The backup /nowhere.tar cannot be read (ENOENT).\n',
  });
  for (const command of ['backup', 'restore', 'doctor']) {
    t.match(await admin(t, [command, '--help'], env), { code: 0, stdout: /Usage: admin/ });
  }
});
