import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { eventually } from '../../server/testing/eventually.ts';
import { postmasterPid } from '../../server/testing/postgres/embedded.ts';
import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { startOwnCluster } from '../testing/cluster.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { full } from '../testing/full.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome, onEmbedded } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, storm, uploadInto } from '../testing/load/storm.ts';
import { below, lives } from '../testing/machine/processes.ts';
import { withoutPostgres } from '../testing/machine/tools.ts';

type Frost = { freeze(): void; thaw(): void };

function frostOf(t: Test, postmaster: number): Frost {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [postmaster, ...below(postmaster).map((one) => one.pid)]) process.kill(pid, name);
  };
  t.teardown(() => lives(postmaster) && signal('SIGCONT'));
  return { freeze: () => signal('SIGSTOP'), thaw: () => signal('SIGCONT') };
}

fault(
  'F4',
  'every request ends in time while Postgres is frozen, and the pool works afterwards',
  async (t) => {
    const cluster = onEmbedded ? undefined : await startOwnCluster(t);
    const home = await createHome(t, {}, cluster ? { databaseUrl: cluster.url } : {});
    const ledger = createLedger();
    const server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account);
    await uploadInto(ledger, server.origin, account);
    const clients = storm(ledger, server.origin, account, { clients: 4, persistent: true });
    await eventually('the storm is under way', () => ledger.answered > 8);
    const frost = cluster ?? frostOf(t, postmasterPid(`${home.dataDir}/postgres`));
    frost.freeze();
    const frozen = stopwatch();
    const health = stopwatch();
    t.equal((await call(server.origin, '/api/health/ready')).status, 503);
    within(t, 'F4', 'health red in', health(), 2);
    t.equal((await call(server.origin, '/api/health/live')).status, 200);
    const [known] = ledger.kept.values();
    // More requests than the pool has connections, so that some wait for one.
    const time = stopwatch();
    const reads = Array.from({ length: 15 }, () => call(server.origin, known?.path ?? '/'));
    const statuses = new Set((await Promise.all(reads)).map(({ status }) => status));
    t.same([...statuses], [503]);
    within(t, 'F4', 'refused in', time(), 20);
    // Postgres stays frozen this long.
    if (full) await sleep(Math.max(0, 15 - frozen()) * 1000);
    frost.thaw();
    const sinceThen = stopwatch();
    await eventually(
      'pictures are served again',
      async () => (await call(server.origin, known?.path ?? '/')).status !== 503,
    );
    within(t, 'F4', 'back in', sinceThen(), 10);
    await clients.stop();
    t.equal((await uploadInto(ledger, server.origin, account)).status, 201);
    const [another] = ledger.kept.values();
    if (another) t.equal((await deleteFrom(ledger, server.origin, account, another)).status, 204);
    t.ok(lives(server.pid), 'the server was not restarted');
    await checkAnswers(t, server.origin, account, ledger);
    await server.stop();
    await home.start();
    await checkBytes(t, home);
  },
  { skip: onEmbedded ? false : withoutPostgres },
);
