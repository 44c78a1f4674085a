/** An installation that outlives its server processes: a data folder, a database, and servers that run on them. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import type { Test } from 'tap';
import { type Address, parseDatabaseUrl } from '../../server/database/address.ts';
import { openClient } from '../../server/database/client.ts';
import { findRunningPostgres } from '../../server/database/embedded/find-running.ts';
import { createTestDatabase } from '../../server/testing/postgres/database.ts';
import { temporaryFolder } from '../../server/testing/postgres/embedded.ts';
import { listening, run, type Started } from './server-process.ts';

export type Living = Started & {
  origin: string;
  pid: number;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
};

type Environment = Record<string, string>;
type Command = Parameters<typeof run>[2];

export type Home = {
  dataDir: string;
  environment: Environment;
  /** Starts a server without waiting. */
  launch(environment?: Environment, command?: Command): Started;
  /** Starts a server and waits until it listens. */
  start(environment?: Environment, command?: Command): Promise<Living>;
  /** Opens a connection that the test closes; an embedded database needs a running server. */
  connect(): Promise<postgres.Sql>;
  /** Runs one statement. */
  sql(statement: string): Promise<Record<string, unknown>[]>;
};

/** Whether the servers use the embedded database: the default unless TEST_DATABASE_URL is set. */
export const onEmbedded = !process.env.TEST_DATABASE_URL;

type Place = {
  dataDir?: string;
  /** Defaults to the embedded one or, with TEST_DATABASE_URL, to a new one on that cluster. */
  databaseUrl?: string;
};

export async function createHome(t: Test, environment: Environment = {}, place: Place = {}): Promise<Home> {
  const dataDir = place.dataDir ?? temporaryFolder(t);
  // Postgres may run as another user, which must be able to enter the folder.
  if (!place.dataDir) chmodSync(dataDir, 0o711);
  const databaseUrl = place.databaseUrl ?? (onEmbedded ? undefined : (await createTestDatabase(t)).url);
  const all: Environment = {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    PORT: '0',
    RATE_LIMIT: 'off',
    PAGE_SIZE: '1000',
    ...environment,
  };

  let known: Address | undefined;
  async function address(): Promise<Address> {
    if (databaseUrl) return parseDatabaseUrl(databaseUrl);
    // A killed server leaves its Postgres running until the next server takes over the folder.
    known = (await findRunningPostgres(join(dataDir, 'postgres'))) ?? known;
    if (!known) throw new Error('no server has run yet, so there is no embedded database');
    return known;
  }

  async function connect(): Promise<postgres.Sql> {
    const sql = openClient(await address(), { max: 1, max_lifetime: null });
    t.teardown(() => sql.end({ timeout: 1 }));
    return sql;
  }

  const launch: Home['launch'] = (own = {}, command) => {
    const started = run(t, { ...all, ...own }, command);
    t.teardown(() => {
      if (!t.passing())
        t.comment(
          started
            .output()
            .replace(/.*"msg":"answered".*\n/g, '')
            .slice(-3000),
        );
    });
    return started;
  };

  return {
    dataDir,
    environment: all,
    launch,
    async start(own, command) {
      const started = launch(own, command);
      const { child, ended } = started;
      const origin = await listening(started);
      const end = (signal: NodeJS.Signals) => {
        child.kill(signal);
        return ended;
      };
      const kill = async () => {
        await end('SIGKILL');
      };
      return { ...started, origin, pid: child.pid ?? 0, kill, stop: () => end('SIGTERM') };
    },
    connect,
    async sql(statement) {
      const sql = openClient(await address(), { max: 1 });
      try {
        return [...(await sql.unsafe(statement))];
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
  };
}
