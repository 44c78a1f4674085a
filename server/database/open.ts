import { join } from 'node:path';
import type postgres from 'postgres';
import { joinRunning } from '../lib/single-flight.ts';
import { parseDatabaseUrl } from './address.ts';
import { type ClientDatabase, type Connection, checkServer, connect, isUnavailable } from './connect.ts';
import { LIST_TIMEOUT } from './driver/prepared.ts';
import type { BeginQuery } from './driver/query-observer.ts';
import type { Launched } from './embedded/early-launch.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded.ts';
import type { Log } from './log.ts';
import { areCollationsCurrent } from './migrations/collations.ts';
import { runMigrations, schemaState } from './migrations/migrate.ts';
import { type NotificationParts, type Notifications, subscribeTo } from './notifications.ts';
import { checkDirect, explainPooler } from './pooler.ts';
import { joinProcesses, type ProcessRegistry } from './process-registry.ts';

export type OpenDatabase = {
  db: ClientDatabase;
  /** Separate connections for lists, searches and other slow queries of accounts. */
  lists: ClientDatabase;
  /** One more connection for lists, for accounts that have used little (http/limits/fair-share.ts). */
  reservedForLists: ClientDatabase;
  /** Registers this process with all that share the database, until the registry or its connection is closed. */
  joinProcesses(): Promise<ProcessRegistry>;
  listen(parts: NotificationParts): Notifications;
  /** Runs the work on a separate connection, whose statements may take ten minutes. */
  withLongTimeout<T>(work: (db: ClientDatabase) => Promise<T>): Promise<T>;
  /** Whether it responds within a second, on a separate connection; false if Postgres hangs. Never throws. */
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
};

type DatabaseOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** Direct to Postgres if `databaseUrl` leads to a pooler; for what needs a session. */
  databaseDirectUrl?: string | undefined;
  /** For both, where they contain none. */
  databasePassword?: string | undefined;
  logger: Log;
  poolSize?: number;
  listConnections?: number;
  beginQuery?: BeginQuery | undefined;
  /** The embedded Postgres, if it was started before; `close` stops it too. */
  launched?: Launched | undefined;
};

/** Milliseconds that a statement over a large account may take, such as its deletion. */
export const LONG_RESPONSE_TIMEOUT = 600_000;

const HEALTH_TIMEOUT = 1000;

/**
 * Opens the server's database and migrates it: the one DATABASE_URL names, or the embedded one under `dataDir`.
 * @throws DatabaseStartError, one line for the administrator
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const {
    dataDir,
    databaseUrl,
    databaseDirectUrl,
    databasePassword: password,
    logger,
    poolSize,
    listConnections = 4,
    beginQuery,
    launched,
  } = options;
  launched?.logTo(logger);
  const embedded: EmbeddedPostgres | undefined = databaseUrl
    ? undefined
    : await (launched?.postgres ?? startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: logger }));
  try {
    const address = embedded?.connection ?? parseDatabaseUrl(databaseUrl ?? '', { password });
    const direct = databaseDirectUrl
      ? parseDatabaseUrl(databaseDirectUrl, { name: 'DATABASE_DIRECT_URL', password })
      : address;
    const pooled = direct !== address;
    const { db, sql, close } = connect(address, {
      pooled,
      beginQuery,
      ...(poolSize === undefined ? {} : { max: poolSize }),
    });
    try {
      await checkServer(sql, address, embedded ? 'The embedded database' : 'DATABASE_URL');
      if (pooled) await checkDirect(sql, direct);
      // A migration needs a separate connection and a lock, so it only runs if needed.
      if (!(await isCurrent(sql))) await runMigrations(direct);
    } catch (error) {
      await close();
      throw error;
    }
    const [lists, reserved] = [listConnections - 1, 1].map((max) =>
      connect(address, { pooled, beginQuery, max: Math.max(1, max), statementTimeout: LIST_TIMEOUT }),
    ) as [Connection, Connection];
    // A separate connection, so that readiness does not depend on the pool.
    const probe = connect(address, { pooled, max: 1 });
    const closeAll = async () => {
      await Promise.all([close(), lists.close(), reserved.close(), probe.close()]);
      await embedded?.stop();
    };
    return {
      db,
      lists: lists.db,
      reservedForLists: reserved.db,
      joinProcesses: () => joinProcesses(direct, { sql, log: logger }).catch(explainPooler),
      listen: (parts) => subscribeTo(direct, { sql, log: logger, ...parts }),
      async withLongTimeout(work) {
        const slow = connect(direct, { max: 1, responseTimeout: LONG_RESPONSE_TIMEOUT });
        try {
          return await work(slow.db);
        } finally {
          await slow.close();
        }
      },
      isHealthy: shareProbe(() => probe.sql`select 1`),
      close: closeAll,
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Whether the schema and the order of its indexes are current. Errors count as false: the migration then reports them. */
async function isCurrent(sql: postgres.Sql): Promise<boolean> {
  try {
    return (await schemaState(sql)) === 'current' && (await areCollationsCurrent(sql));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return false;
  }
}

/** Shares one pending query between all callers, so that a frozen server does not accumulate them. */
function shareProbe(probe: () => PromiseLike<unknown>): () => Promise<boolean> {
  const check = joinRunning(async () => {
    try {
      await probe();
      return true;
    } catch {
      return false;
    }
  });
  return () => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, HEALTH_TIMEOUT, false);
    });
    return Promise.race([check(), timeout]).finally(() => clearTimeout(timer));
  };
}
