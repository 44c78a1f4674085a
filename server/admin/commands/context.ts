/** What a command works on: the same database and bytes as the server's, whether or not a server runs beside it. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import type { Config } from '../../config/config.ts';
import { type Address, parseDatabaseUrl } from '../../database/address.ts';
import { checkServer, connect, type Database } from '../../database/connect.ts';
import { startEmbeddedPostgres } from '../../database/embedded/embedded.ts';
import { FolderInUse } from '../../database/embedded/owner-lock.ts';
import { runningEmbeddedPostgres } from '../../database/embedded/running.ts';
import { hasImages } from '../../database/installation.ts';
import type { Log } from '../../database/log.ts';
import { type SchemaState, schemaState } from '../../database/migrations/migrate.ts';
import { LONG_SILENCE } from '../../database/open.ts';
import { joinProcesses, type ProcessRegistry } from '../../database/process-registry.ts';
import { originalKey } from '../../images/keys.ts';
import { ensureDataDir } from '../../storage/data-dir.ts';
import { openStorage } from '../../storage/open.ts';
import { openBackend } from '../../storage/open-backend.ts';
import { ensureNoRestore } from '../../storage/ownership/installation.ts';
import type { Storage } from '../../storage/storage.ts';
import { CommandFailed } from './console/failures.ts';

export type Admin = {
  config: Config;
  db: Database;
  sql: postgres.Sql;
  address: Address;
  /** `current`, unless the command asked for any. */
  schema: SchemaState;
  /** Whether a server is known to run beside: of the embedded database one knows, of DATABASE_URL not. */
  server: 'runs' | 'stopped' | 'unknown';
  /** This process among all that share the database, from when it is first asked for. */
  presence(): Promise<ProcessRegistry>;
  /** The bytes, opened when first asked for. */
  storage(): Promise<Storage>;
  close(): Promise<void>;
};

export type AdminOptions = {
  /** Whether tables of another version will do, or none; an embedded database that is not there yet is made then. */
  anySchema?: boolean;
  /** Ids of keys that are not asked for, where stored bytes are opened. */
  withoutKeys?: readonly string[];
  signal?: AbortSignal;
  /** Told what one waits for, in a sentence. */
  note?: (text: string) => void;
};

type Server = { address: Address; name: string; server: Admin['server']; stop(): Promise<void> };

/**
 * @throws ConfigError, DatabaseStartError, CommandFailed: one line each
 */
export async function openAdmin(config: Config, options: AdminOptions = {}): Promise<Admin> {
  becomeOwnerOf(config.dataDir);
  const { address, name, server, stop } = await reach(config, options);
  try {
    const { db, sql, close } = connect(address, { max: 4, silence: LONG_SILENCE });
    try {
      await checkServer(sql, address, name);
      const schema = await schemaState(sql);
      if (!options.anySchema && !(schema === 'current' && (await hasImages(db)))) await ensureNoRestoreOnDisk(config);
      if (schema !== 'current' && !options.anySchema) throw new CommandFailed(refusals[schema]);
      const presence = once(() => joinProcesses(address, { sql, log: logTo(options) }));
      const storage = once(async () => openBytes(config, db, await presence.get(), options));
      return {
        config,
        db,
        sql,
        address,
        schema,
        server,
        presence: presence.get,
        storage: storage.get,
        close: async () => {
          // Staged files that stay are swept by the next server.
          await (await storage.made())?.close().catch(() => undefined);
          await (await presence.made())?.close();
          await close();
          await stop();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A command that needs no bytes, as one that makes an account, would still be in the way of the restore. */
async function ensureNoRestoreOnDisk(config: Config): Promise<void> {
  if (config.storage !== 'disk' && config.storageFallback !== 'disk') return;
  const place = await openBackend('disk', config);
  try {
    await ensureNoRestore(place);
  } finally {
    place.close();
  }
}

/** The database of DATABASE_URL; or the embedded one, through the server that runs it, or else started for this time. */
async function reach({ databaseUrl, databaseDirectUrl, dataDir }: Config, options: AdminOptions): Promise<Server> {
  const stop = async () => {};
  // Locks, snapshots and long statements: straight to Postgres, past any pooler.
  const [url, variable] = databaseDirectUrl
    ? [databaseDirectUrl, 'DATABASE_DIRECT_URL']
    : [databaseUrl, 'DATABASE_URL'];
  if (url) return { address: parseDatabaseUrl(url, variable), name: variable, server: 'unknown', stop };
  const folder = join(dataDir, 'postgres');
  const name = 'The embedded database';
  if (!options.anySchema && !existsSync(join(folder, 'cluster'))) {
    throw new CommandFailed(`DATA_DIR "${dataDir}" holds no database yet: start the server once, or run "migrate".`);
  }
  for (;;) {
    const address = await runningEmbeddedPostgres(folder);
    if (address) return { address, name, server: 'runs', stop };
    try {
      const own = await startOwn(folder, options);
      return { address: own.connection, name, server: 'stopped', stop: own.stop };
    } catch (error) {
      // A server has begun in between: beside it, then.
      const holder = error instanceof FolderInUse ? error.holder : undefined;
      if (!holder?.alive || holder.role !== 'server') throw error;
    }
  }
}

function startOwn(dataDir: string, options: AdminOptions) {
  return startEmbeddedPostgres({ dataDir, log: logTo(options), role: 'command', signal: options.signal });
}

const logTo = ({ note = () => {} }: AdminOptions): Log => ({ info: note, error: (_details, message) => note(message) });

/** Made when it is first asked for; `made` answers it where it was, or nothing. */
function once<T>(make: () => Promise<T>): { get(): Promise<T>; made(): Promise<T | undefined> } {
  let made: Promise<T> | undefined;
  return {
    get: () => {
      made ??= make();
      return made;
    },
    made: async () => made?.catch(() => undefined),
  };
}

const refusals: Record<Exclude<SchemaState, 'current'>, string> = {
  empty: 'The database has no tables yet: run the command "migrate" first, or start the server once.',
  older: 'The database\'s tables are older than this program: run the command "migrate" first.',
  newer: "The database's tables are newer than this program: use the newer program.",
};

/** As a process of its own among the servers, so that none takes what it is at for left over. */
async function openBytes(
  config: Config,
  db: Database,
  presence: ProcessRegistry,
  options: AdminOptions,
): Promise<Storage> {
  await ensureDataDir(config.dataDir);
  const { withoutKeys: without } = options;
  const log = { warn: logTo(options).error };
  return openStorage({ config, db, presence, log, isServer: false, originalKey, without });
}

/**
 * A command run by root works as the user that the server's files belong to. What root leaves there, such as a socket,
 * that user could not open any more.
 */
function becomeOwnerOf(dataDir: string): void {
  if (process.getuid?.() !== 0 || !process.setgroups || !process.setgid || !process.setuid) return;
  const place = [join(dataDir, 'files'), dataDir].find((folder) => existsSync(folder));
  const owner = place === undefined ? undefined : statSync(place);
  if (owner === undefined || owner.uid === 0) return;
  process.setgroups([]);
  process.setgid(owner.gid);
  process.setuid(owner.uid);
}
