import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../server/testing/eventually.ts';
import { postmasterPid } from '../../server/testing/postgres/embedded.ts';
import { logIn, newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { type Cluster, startOwnCluster } from '../testing/cluster.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes, listAll } from '../testing/holdings.ts';
import { createHome, onEmbedded } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { pictures, storm, uploadInto } from '../testing/load/storm.ts';
import { type Mount, mountTmpfs } from '../testing/machine/mounts.ts';
import { lives } from '../testing/machine/processes.ts';
import { withoutMount, withoutPostgres } from '../testing/machine/tools.ts';

fault(
  'F6',
  'an upload that finds the disk of Postgres full is refused and leaves no bytes',
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
    // After a switch there is no free WAL segment, so Postgres must allocate one on the full disk.
    await home.sql('select pg_switch_wal()').catch(() => undefined);
    const release = disk?.fill() ?? (() => {});
    const clients = storm(ledger, server.origin, account, { clients: 4, persistent: true });
    await eventually('an upload is refused', () => ledger.refused.some((status) => status === 503 || status === 507));
    await clients.stop();
    release();
    if (cluster && !cluster.lives()) await cluster.start();
    const sinceThen = stopwatch();
    await eventually('it accepts pictures again', async () => {
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
      'failed requests got 503 or 507',
    );
    await server.stop();
    await home.start();
    await checkBytes(t, home);
  },
  { skip: withoutMount || (onEmbedded ? false : withoutPostgres) },
);

/** Fills a disk except for this many MiB. @returns a function that frees the space */
function leave(path: string, mebibytes: number): () => void {
  const { bavail, bsize } = statfsSync(path);
  const filler = join(path, 'filler');
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - mebibytes * 2 ** 20)));
  return () => rmSync(filler);
}

fault(
  'F6',
  'uploads stop before the disk of the embedded database is full, and everything else works',
  async (t) => {
    const home = await createHome(t);
    // The reserve is a tenth of the disk: 50 MiB.
    mountTmpfs(t, home.dataDir, '500m');
    const server = await home.start();
    t.match(server.output(), /QUOTA=10GB/, 'the start suggests a quota');
    const account = await newAccount(server.origin);
    const ledger = createLedger();
    t.equal((await uploadInto(ledger, server.origin, account, await pictures(3))).status, 201);
    const release = leave(home.dataDir, 40);
    await eventually('an upload is refused', async () => {
      const answer = await uploadInto(ledger, server.origin, account);
      if (answer.status === 507) t.match(answer.body, /no space left/);
      return answer.status === 507;
    });
    const { bearer } = account;
    const opening = { ...bearer, 'tus-resumable': '1.0.0', 'upload-length': '1000' };
    t.equal((await call(server.origin, '/api/uploads/', { method: 'POST', headers: opening })).status, 507, 'tus');
    t.equal((await logIn(server.origin, account)).id, account.id, 'a login is stored');
    const [first, second] = await listAll(server.origin, account);
    const body = JSON.stringify({ filename: 'renamed.jpg' });
    const renaming = { method: 'PATCH', headers: { ...bearer, 'content-type': 'application/json' }, body };
    t.equal((await call(server.origin, `/api/images/${first?.id}`, renaming)).status, 200, 'a picture is renamed');
    const deleting = { method: 'DELETE', headers: bearer };
    const deleted = await call(server.origin, `/api/images/delete/${second?.id}`, deleting);
    t.equal(deleted.status, 204, 'a picture is deleted');
    t.equal((await call(server.origin, '/api/health/ready')).status, 200);
    release();
    await eventually('with room again, it accepts more', async () => {
      return (await uploadInto(ledger, server.origin, account)).status === 201;
    });
  },
  { on: 'embedded', skip: withoutMount },
);
