/** Starts during an outage of the database or the S3 server wait and are ready soon after it ends. */
import type { Test } from 'tap';
import type { Cable } from '../../server/testing/cable.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { createTestBucket, s3Environment, withoutS3 } from '../../server/testing/s3.ts';
import { call } from '../testing/call.ts';
import { type Cluster, startOwnCluster } from '../testing/cluster.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { createHome, type Home } from '../testing/home.ts';
import { withoutPostgres } from '../testing/machine/tools.ts';
import { listening } from '../testing/server-process.ts';

/** Starts a server in an outage, ends the outage once the server waits, and checks that it becomes ready. */
async function startIn(t: Test, home: Home, ends: () => Promise<unknown> | unknown): Promise<void> {
  const starting = home.launch({ LOG_LEVEL: 'info' });
  await eventually('the start waits', () => starting.output().includes('The start waits for it'));
  await ends();
  const time = stopwatch();
  const origin = await listening(starting);
  await eventually('ready', async () => (await call(origin, '/api/health/ready')).status === 200);
  within(t, 'F3', 'a start ready after its outage in', time(), 10);
  starting.child.kill('SIGTERM');
  t.equal(await starting.ended, 0);
}

/** @param prepared whether the database already has its tables */
async function onCluster(t: Test, prepared: boolean, name: string, away: (cluster: Cluster) => Promise<() => unknown>) {
  await t.test(`${name}, ${prepared ? 'with' : 'without'} tables`, async (t) => {
    const cluster = await startOwnCluster(t);
    const home = await createHome(t, {}, { databaseUrl: cluster.url });
    if (prepared) await (await home.start()).stop();
    await startIn(t, home, await away(cluster));
  });
}

fault(
  'F3',
  'a start while Postgres is stopped or frozen is ready within seconds of its return',
  async (t) => {
    const stopped = async (cluster: Cluster) => {
      await cluster.stopAtOnce();
      return () => cluster.start();
    };
    const frozen = async (cluster: Cluster) => {
      cluster.freeze();
      return () => cluster.thaw();
    };
    const replaced = async (cluster: Cluster) => {
      cluster.freeze();
      return async () => {
        cluster.thaw();
        await cluster.stopAtOnce();
        await cluster.start();
      };
    };
    await onCluster(t, true, 'stopped', stopped);
    await onCluster(t, false, 'stopped', stopped);
    await onCluster(t, true, 'frozen', frozen);
    await onCluster(t, true, 'frozen, then killed and started again', replaced);
  },
  { skip: withoutPostgres },
);

fault(
  'F9',
  'a start while the S3 server is away or silent is ready within seconds of its return',
  async (t) => {
    const { bucket, cable } = await createTestBucket(t);
    const ways: [string, (cable: Cable) => Promise<void> | void][] = [
      ['away', (line) => line.pull()],
      ['silent', (line) => line.silence()],
    ];
    for (const [name, break_] of ways) {
      await t.test(name, async (t) => {
        const home = await createHome(t, { STORAGE: 's3', ...s3Environment(bucket) });
        await break_(cable);
        await startIn(t, home, () => cable.plugIn());
      });
    }
  },
  { skip: withoutS3 },
);
