/** Starts three processes of the built program behind a proxy, with one database and one storage. */
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { parseDatabaseUrl } from '../../server/database/address.ts';
import { openClient } from '../../server/database/client.ts';
import { type Cluster, startOwnCluster } from '../../trust-tests/testing/cluster.ts';
import { startProxy } from './proxy.ts';
import { type Kind, type SharedStorage, storageOf } from './shared-storage.ts';
import { createSlot, type Slot } from './slots.ts';

export type Scene = {
  origin: string;
  /** @returns the proxy's error log, without refused connections */
  proxyLog(): string;
  slots: Slot[];
  database: Cluster;
  storage: SharedStorage;
  sql(statement: string): Promise<Record<string, unknown>[]>;
};

const processes = 3;

export async function startScene(t: Test, kind: Kind): Promise<Scene> {
  const database = await startOwnCluster(t);
  const storage = await storageOf(t, kind);
  const environment = {
    ...storage.environment,
    DATABASE_URL: database.url,
    JWT_SECRET: randomBytes(32).toString('base64url'),
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT: 'on',
  };
  const slots: Slot[] = [];
  for (let number = 0; number < processes; number += 1) slots.push(await createSlot(t, storage.dataDir, environment));
  await Promise.all(slots.map((slot) => slot.start()));
  const { origin, log } = await startProxy(
    t,
    slots.map((slot) => slot.origin),
  );
  return {
    origin,
    proxyLog: () => log().replace(/^.* connect\(\) failed .*\n/gm, ''),
    slots,
    database,
    storage,
    async sql(statement) {
      const sql = openClient(parseDatabaseUrl(database.url), { max: 1 });
      try {
        return [...(await sql.unsafe(statement))];
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
  };
}
