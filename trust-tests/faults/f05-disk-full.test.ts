import { join } from 'node:path';
import { postmasterPid } from '../../server/testing/embedded.ts';
import { noise } from '../../server/testing/pictures.ts';
import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { type Cluster, startOwnCluster } from '../testing/cluster.ts';
import { eventually } from '../testing/eventually.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome, onEmbedded } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { type Mount, mountTmpfs } from '../testing/mounts.ts';
import { lives } from '../testing/processes.ts';
import { onePicture, pictures, storm, uploadInto } from '../testing/storm.ts';
import { withoutMount, withoutPostgres } from '../testing/tools.ts';

fault(
  'F5',
  'a full storage refuses uploads with 507, keeps what it has, and takes more once there is room',
  async (t) => {
    const home = await createHome(t);
    const disk = mountTmpfs(t, join(home.dataDir, 'files'), '3m');
    const ledger = createLedger();
    const server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account, await pictures(5));
    const statuses: number[] = [];
    // Whole, and in part: the second file of an upload finds no room for itself, and so nothing of it is kept.
    for (let count = 0; statuses.filter((status) => status === 507).length < 3 && count < 100; count += 1) {
      // No two alike: the same bytes would take no room.
      const large = await noise(700 + count, 500);
      const files = [{ name: `${count}-large.jpg`, bytes: large }, await onePicture()];
      statuses.push((await uploadInto(ledger, server.origin, account, files)).status);
    }
    t.same([...new Set(statuses)], [201, 507]);
    const giveBack = disk.fill();
    for (const files of [undefined, await pictures(3)]) {
      const answer = await uploadInto(ledger, server.origin, account, files);
      t.equal(answer.status, 507, 'to the last byte');
      t.match(answer.body, /no space left/);
    }
    await checkAnswers(t, server.origin, account, ledger);
    giveBack();
    disk.remount('remount,size=8m');
    const sinceThen = stopwatch();
    t.equal((await uploadInto(ledger, server.origin, account)).status, 201, 'with room again, it takes more');
    within(t, 'F5', 'back in', sinceThen(), 10);
    t.equal((await call(server.origin, '/api/health/ready')).status, 200);
    await checkAnswers(t, server.origin, account, ledger);
    await checkBytes(t, home);
  },
  { skip: withoutMount },
);

fault(
  'F6',
  'where Postgres finds its disk full, an upload is refused and leaves no bytes',
  async (t) => {
    let disk: Mount | undefined;
    let cluster: Cluster | undefined;
    const small = (folder: string) => {
      disk = mountTmpfs(t, folder, '150m');
    };
    if (!onEmbedded) cluster = await startOwnCluster(t, small);
    const home = await createHome(t, {}, cluster ? { databaseUrl: cluster.url } : {});
    if (onEmbedded) small(join(home.dataDir, 'postgres'));
    const ledger = createLedger();
    const server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account, await pictures(3));
    // A log of the database that has no further segment, so that it must ask the disk for one.
    await home.sql('select pg_switch_wal()').catch(() => undefined);
    const giveBack = disk?.fill() ?? (() => {});
    const clients = storm(ledger, server.origin, account, { clients: 4, persistent: true });
    await eventually('an upload is refused', () => ledger.refused.some((status) => status === 503 || status === 507));
    await clients.stop();
    giveBack();
    if (cluster && !cluster.lives()) await cluster.start();
    const sinceThen = stopwatch();
    await eventually('it takes pictures again', async () => {
      const answer = await uploadInto(ledger, server.origin, account).catch(() => undefined);
      return answer?.status === 201;
    });
    within(t, 'F6', 'back in', sinceThen(), 10);
    t.ok(lives(server.pid), 'the server was not restarted');
    if (onEmbedded) t.ok(lives(postmasterPid(join(home.dataDir, 'postgres'))));
    await checkAnswers(t, server.origin, account, ledger);
    t.same(
      ledger.refused.filter((status) => ![503, 507, 404].includes(status)),
      [],
      'what failed was answered with 503 or 507',
    );
    await server.stop();
    await home.start();
    await checkBytes(t, home);
  },
  { skip: withoutMount || (onEmbedded ? false : withoutPostgres) },
);
