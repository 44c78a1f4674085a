/** An installation that outlives its server processes: a data folder, a database, and servers started and ended on it. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import type { Test } from 'tap';
import { type Address, parseDatabaseUrl } from '../../server/database/address.ts';
import { openClient } from '../../server/database/client.ts';
import { runningEmbeddedPostgres } from '../../server/database/embedded/running.ts';
import { createTestDatabase } from '../../server/testing/postgres/database.ts';
import { temporaryFolder } from '../../server/testing/postgres/embedded.ts';
import { listening, run, type Started } from './server-process.ts';

export type Living = Started & {
  origin: string;
  pid: number;
  /** By SIGKILL. */
  kill(): Promise<void>;
  /** By SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
};

type Environment = Record<string, string>;
type Command = Parameters<typeof run>[2];

export type Home = {
  dataDir: string;
  environment: Environment;
  /** Starts a server without waiting for it. */
  launch(environment?: Environment, command?: Command): Started;
  /** Starts a server and waits until it listens. */
  start(environment?: Environment, command?: Command): Promise<Living>;
  /** A connection to the database, closed with the test; with the embedded one, a server must live. */
  connect(): Promise<postgres.Sql>;
  /** One statement. */
  sql(statement: string): Promise<Record<string, unknown>[]>;
};

/** Whether the servers have an embedded database: where no real one was named, as for users. */
export const onEmbedded = !process.env.TEST_DATABASE_URL;

type Place = {
  dataDir?: string;
  /** By default the embedded one, or where TEST_DATABASE_URL is set, one of the test's own on that cluster. */
  databaseUrl?: string;
};

export async function createHome(t: Test, environment: Environment = {}, place: Place = {}): Promise<Home> {
  const dataDir = place.dataDir ?? temporaryFolder(t);
  // A Postgres of another user goes through it.
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
    // A server that was killed leaves its Postgres behind, until the next one takes the folder.
    known = (await runningEmbeddedPostgres(join(dataDir, 'postgres'))) ?? known;
    if (!known) throw new Error('no server has lived yet, so its embedded database has not either');
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
