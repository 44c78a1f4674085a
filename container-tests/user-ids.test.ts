/** The image as any user id, and what it says when a folder belongs to somebody else. */
import { chmodSync } from 'node:fs';
import t, { type Test } from 'tap';
import { noise } from '../server/testing/pictures.ts';
import { newAccount, store } from '../trust-tests/testing/account.ts';
import { hostFolder, launchGallery, newVolume, type Options, refusedStart, startGallery } from './testing/gallery.ts';
import { image, podman, unlessFull } from './testing/podman.ts';

async function checkUploads(t: Test, options: Options, level: RegExp): Promise<void> {
  const gallery = await startGallery(t, options);
  const account = await newAccount(gallery.origin);
  await store(gallery.origin, account, [{ name: 'one.jpg', bytes: await noise(300, 200) }]);
  t.match(await gallery.logs(), level);
  const { code, output } = await gallery.exec('admin', 'doctor');
  t.equal(code, 0, output);
  t.equal(await gallery.stop(), 0);
  await gallery.start();
  await gallery.ready();
}

const filter = /"isolation":"filter"/;

for (const [user, system] of [
  ['568:568', 'TrueNAS'],
  ['99:100', 'Unraid'],
  ['1026:100', 'Synology'],
]) {
  const skip = user === '568:568' ? false : unlessFull;
  t.test(`user ${user} (${system}) runs in a folder that it owns, and its database is created`, { skip }, async (t) => {
    const [uid = 0, gid = 0] = (user ?? '').split(':').map(Number);
    await checkUploads(t, { user: user ?? '', data: hostFolder(t, uid, gid) }, filter);
  });
}

t.test('a user namespace maps the image’s user', async (t) => {
  const more = ['--uidmap', '0:100000:65536', '--gidmap', '0:100000:65536'];
  await checkUploads(t, { more, data: hostFolder(t, 101_000, 101_000) }, filter);
});

t.test('root with Docker’s default capabilities runs', async (t) => {
  const hardening = ['--init', '--cap-add', 'AUDIT_WRITE,MKNOD,NET_RAW'];
  const data = hostFolder(t, 0, 0);
  // Postgres runs as another user, which must be able to enter it.
  chmodSync(data, 0o755);
  await checkUploads(t, { user: '0:0', hardening, data }, /"isolation":"user"/);
});

t.test('a folder of root is refused in one line, with both ids and the command', async (t) => {
  const { code, lines } = await refusedStart(t, { data: hostFolder(t, 0, 0) });
  t.equal(code, 1);
  t.equal(lines.length, 1, lines.join('\n'));
  t.match(
    lines[0],
    /^DATA_DIR .*\/data belongs to user 0:0 and the server runs as 1000:1000\. Run "chown -R 1000:1000"/,
  );
});

t.test('a volume that another user filled is refused in one line, until it is given away', async (t) => {
  const data = await newVolume(t);
  const first = await startGallery(t, { data });
  await first.stop();
  const { code, lines } = await refusedStart(t, { data, user: '568:568' });
  t.equal(code, 1);
  t.equal(lines.length, 1, lines.join('\n'));
  t.match(lines[0], /belongs to user 1000:1000 and the server runs as 568:568\. .*chown -R 568:568.*--user 1000:1000/);
  await podman('run', '--rm', '--user', '0', '--volume', `${data}:/data`, image, 'chown', '-R', '568:568', '/data');
  await startGallery(t, { data, user: '568:568' });
});

t.test('PUID and PGID are answered with the option that works', async (t) => {
  const { code, lines } = await refusedStart(t, { environment: { PUID: '568', PGID: '568' } });
  t.equal(code, 1);
  t.match(lines, [/^PUID and PGID have no effect.* --user 568:568,/]);
  const gallery = await launchGallery(t, { environment: { PUID: '1000', PGID: '1000' } });
  await gallery.ready();
});
