/** What must hold in a container when something fails. */
import { randomInt } from 'node:crypto';
import { chownSync } from 'node:fs';
import t, { type Test } from 'tap';
import { eventually } from '../server/testing/eventually.ts';
import { noise } from '../server/testing/pictures.ts';
import { newAccount, send } from '../trust-tests/testing/account.ts';
import { call } from '../trust-tests/testing/call.ts';
import { checkAnswers } from '../trust-tests/testing/holdings.ts';
import { createLedger } from '../trust-tests/testing/ledger.ts';
import { pictures, storm, uploadInto } from '../trust-tests/testing/load/storm.ts';
import { mountTmpfs } from '../trust-tests/testing/machine/mounts.ts';
import { type Gallery, hostFolder, startGallery } from './testing/gallery.ts';
import { full, podman } from './testing/podman.ts';

async function checkDoctor(t: Test, gallery: Gallery): Promise<void> {
  const { code, output } = await gallery.exec('admin', 'doctor');
  t.equal(code, 0, output);
}

t.test('a container killed during uploads loses nothing that it confirmed', async (t) => {
  const gallery = await startGallery(t);
  const account = await newAccount(gallery.origin);
  const ledger = createLedger();
  const again = pictures(2);
  for (let round = 0; round < (full ? 5 : 1); round += 1) {
    const clients = storm(ledger, gallery.origin, account, { again });
    const enough = ledger.answered + 10 + randomInt(10);
    await eventually('uploads are answered', () => ledger.answered >= enough);
    await gallery.kill();
    await clients.stop();
    await gallery.start();
    await gallery.ready();
    await checkAnswers(t, gallery.origin, account, ledger);
  }
  await checkDoctor(t, gallery);
});

t.test('a full disk refuses uploads, keeps the container healthy, and recovers', async (t) => {
  const path = hostFolder(t);
  const disk = mountTmpfs(t, path, '300m');
  chownSync(path, 1000, 1000);
  const gallery = await startGallery(t, { data: path });
  const account = await newAccount(gallery.origin);
  const ledger = createLedger();
  await uploadInto(ledger, gallery.origin, account, await pictures(5));
  const release = disk.fill();
  const large = { name: 'large.jpg', bytes: await noise(1000, 700) };
  const refused = await uploadInto(ledger, gallery.origin, account, [large]);
  t.equal(refused.status, 507, refused.body);
  t.ok(await gallery.isHealthy(), 'the container is healthy');
  await checkAnswers(t, gallery.origin, account, ledger);
  t.equal((await call(gallery.origin, '/api/auth/me', { headers: account.bearer })).status, 200);
  await gallery.kill();
  await gallery.start();
  await eventually('the server starts on the full disk', () => gallery.isHealthy());
  await checkAnswers(t, gallery.origin, account, ledger);
  release();
  const again = () => uploadInto(ledger, gallery.origin, account, [large]);
  await eventually('uploads are accepted again', async () => (await again()).status === 201);
  await checkAnswers(t, gallery.origin, account, ledger);
  t.match(await gallery.exec('admin', 'doctor'), { code: 1, output: /Little space is left/ });
});

/** The largest amount of memory that the container used, page cache included. */
async function peakOf({ exec }: Gallery): Promise<number> {
  const files = '/sys/fs/cgroup/memory/memory.max_usage_in_bytes /sys/fs/cgroup/memory.peak';
  return Number.parseInt((await exec('sh', '-c', `cat ${files} 2> /dev/null`)).output, 10);
}

for (const memory of full ? ['512m', '256m'] : ['512m']) {
  t.test(`${memory} of memory and one core store photographs of 12 megapixels, four at once`, async (t) => {
    const gallery = await startGallery(t, { memory, more: ['--cpus', '1'] });
    const account = await newAccount(gallery.origin);
    const photograph = await noise(4000, 3000);
    const statuses: number[] = [];
    const client = async (number: number) => {
      for (let count = 0; count < 5; count += 1) {
        // Bytes after the end do no harm, and make each file another one.
        const bytes = Buffer.concat([photograph, Buffer.from(`${number} ${count}`)]);
        statuses.push((await send(gallery.origin, account, [{ name: `${number}-${count}.jpg`, bytes }])).status);
      }
    };
    await Promise.all([1, 2, 3, 4].map(client));
    t.same(statuses, Array(20).fill(201));
    t.ok(await gallery.isHealthy());
    t.equal(await podman('inspect', '--format', '{{.State.OOMKilled}}', gallery.name), 'false');
    t.comment(`peak memory: ${Math.round((await peakOf(gallery)) / 2 ** 20)} MB`);
    await checkDoctor(t, gallery);
  });
}
