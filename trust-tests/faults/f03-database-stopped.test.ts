import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { parseDatabaseUrl } from '../../server/database/address.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { postmasterPid } from '../../server/testing/postgres/embedded.ts';
import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { startOwnCluster } from '../testing/cluster.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { full } from '../testing/full.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome, type Home, type Living } from '../testing/home.ts';
import { createLedger, type Ledger } from '../testing/ledger.ts';
import { storm } from '../testing/load/storm.ts';
import { lives } from '../testing/machine/processes.ts';
import { withoutPostgres } from '../testing/machine/tools.ts';

const ready = ({ origin }: Living) => call(origin, '/api/health/ready').then(({ status }) => status === 200);

/** Runs a storm before, during and after the fault, and checks that the server recovers without a restart. */
async function survive(
  t: Test,
  home: Home,
  part: string,
  fail: (server: Living, ledger: Ledger) => Promise<() => Promise<void>>,
) {
  const ledger = createLedger();
  const server = await home.start();
  const account = await newAccount(server.origin);
  const clients = storm(ledger, server.origin, account, { persistent: true });
  await eventually('the storm is under way', () => ledger.answered > 10);
  const heal = await fail(server, ledger);
  await heal();
  const sinceThen = stopwatch();
  await eventually('it is ready again', () => ready(server));
  const before = ledger.answered;
  await eventually('uploads are answered again', () => ledger.answered > before);
  within(t, part, 'recovers in', sinceThen(), 5);
  await clients.stop();
  t.ok(lives(server.pid), 'the server was not restarted');
  await checkAnswers(t, server.origin, account, ledger);
  t.same(
    ledger.refused.filter((status) => status !== 503 && status !== 404),
    [],
    'failed requests got 503',
  );
  // The sweep of each minute removes the bytes of undecided uploads; a start sweeps at once.
  if (!full) {
    await server.stop();
    await home.start();
  }
  await checkBytes(t, home);
}

/** Expects 503 quickly; judges the faster of two tries, since a busy machine only adds time. */
async function refuses(t: Test, { origin }: Living): Promise<void> {
  for (const path of ['/api/health/ready', '/i/AAAAAAAAAAAAAAAAAAAAAA.jpg']) {
    const times: number[] = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const time = stopwatch();
      t.equal((await call(origin, path)).status, 503, path);
      times.push(time());
    }
    within(t, 'F3', '503 in', Math.min(...times), 2);
  }
}

fault(
  'F3',
  'with Postgres stopped and restarted under load, requests get 503, and the server recovers',
  async (t) => {
    const cluster = await startOwnCluster(t);
    const home = await createHome(t, {}, { databaseUrl: cluster.url });
    t.ok(parseDatabaseUrl(cluster.url).port);
    await survive(t, home, 'F3', async (server, ledger) => {
      await cluster.stopAtOnce();
      await refuses(t, server);
      // The outage itself lasts this long.
      if (full) await sleep(20_000);
      await refuses(t, server);
      await eventually('an upload of the storm is refused', () => ledger.refused.includes(503));
      t.equal((await call(server.origin, '/api/health/live')).status, 200, 'the process itself is alive');
      return () => cluster.start();
    });
  },
  { on: 'real', skip: withoutPostgres },
);

for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
  fault(
    'F3',
    `the server restarts an embedded Postgres that ${signal} ended under load`,
    async (t) => {
      const home = await createHome(t);
      await survive(t, home, 'F3', async () => {
        const folder = `${home.dataDir}/postgres`;
        const before = postmasterPid(folder);
        process.kill(before, signal);
        // Postgres may be back before any request is refused: the server checks readiness up to a second apart.
        await eventually('another postmaster', () => {
          try {
            return postmasterPid(folder) !== before;
          } catch {
            return false;
          }
        });
        return async () => {};
      });
    },
    { on: 'embedded' },
  );
}
