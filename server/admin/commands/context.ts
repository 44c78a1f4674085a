/** The command context: opens the server's database and storage, whether or not a server runs. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type postgres from 'postgres';
import type { Config } from '../../config/config.ts';
import { type Address, parseDatabaseUrl } from '../../database/address.ts';
import { checkServer, connect, type Database } from '../../database/connect.ts';
import { startEmbeddedPostgres } from '../../database/embedded/embedded.ts';
import { findRunningPostgres } from '../../database/embedded/find-running.ts';
import { FolderInUse } from '../../database/embedded/owner-lock.ts';
import { hasImages } from '../../database/installation.ts';
import type { Log } from '../../database/log.ts';
import { type SchemaState, schemaState } from '../../database/migrations/migrate.ts';
import { LONG_RESPONSE_TIMEOUT } from '../../database/open.ts';
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
  /** `current`, unless the command set `anySchema`. */
  schema: SchemaState;
  /** Known for the embedded database only, not for DATABASE_URL. */
  server: 'runs' | 'stopped' | 'unknown';
  /** Registers this process in the process registry at the first call. */
  processRegistry(): Promise<ProcessRegistry>;
  storage(): Promise<Storage>;
  close(): Promise<void>;
};

export type AdminOptions = {
  /** Accepts tables of another version or none; creates a missing embedded database. */
  anySchema?: boolean;
  /** Ids of keys that may be missing when the storage opens. */
  withoutKeys?: readonly string[];
  signal?: AbortSignal;
  /** Receives a sentence when the command has to wait. */
  note?: (text: string) => void;
};

type Server = { address: Address; name: string; server: Admin['server']; stop(): Promise<void> };

/** @throws ConfigError, DatabaseStartError, CommandFailed: one line each */
export async function openAdmin(config: Config, options: AdminOptions = {}): Promise<Admin> {
  becomeOwnerOf(config.dataDir);
  const { address, name, server, stop } = await reach(config, options);
  try {
    const { db, sql, close } = connect(address, { max: 4, responseTimeout: LONG_RESPONSE_TIMEOUT });
    try {
      await checkServer(sql, address, name);
      const schema = await schemaState(sql);
      if (!options.anySchema && !(schema === 'current' && (await hasImages(db)))) await ensureNoRestoreOnDisk(config);
      if (schema !== 'current' && !options.anySchema) throw new CommandFailed(refusals[schema]);
      const processRegistry = once(() => joinProcesses(address, { sql, log: logTo(options) }));
      const storage = once(async () => openBytes(config, db, await processRegistry.get(), options));
      return {
        config,
        db,
        sql,
        address,
        schema,
        server,
        processRegistry: processRegistry.get,
        storage: storage.get,
        close: async () => {
          // Staged files that remain are swept by the next server.
          await (await storage.made())?.close().catch(() => undefined);
          await (await processRegistry.made())?.close();
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

/** Even a command that stores no bytes, such as creating an account, would block the restore. */
async function ensureNoRestoreOnDisk(config: Config): Promise<void> {
  if (config.storage !== 'disk' && config.storageFallback !== 'disk') return;
  const disk = await openBackend('disk', config);
  try {
    await ensureNoRestore(disk);
  } finally {
    disk.close();
  }
}

/** Connects to DATABASE_URL, or to the embedded database: a running server's, else one started for this command. */
async function reach(config: Config, options: AdminOptions): Promise<Server> {
  const { databaseUrl, databaseDirectUrl, databasePassword: password, dataDir } = config;
  const stop = async () => {};
  // Locks, snapshots and long statements need a direct connection, not a pooler.
  const [url, name] = databaseDirectUrl ? [databaseDirectUrl, 'DATABASE_DIRECT_URL'] : [databaseUrl, 'DATABASE_URL'];
  if (url) return { address: parseDatabaseUrl(url, { name, password }), name, server: 'unknown', stop };
  const folder = join(dataDir, 'postgres');
  const embedded = 'The embedded database';
  if (!options.anySchema && !existsSync(join(folder, 'cluster'))) {
    throw new CommandFailed(`DATA_DIR "${dataDir}" holds no database yet: start the server once, or run "migrate".`);
  }
  for (;;) {
    const address = await findRunningPostgres(folder);
    if (address) return { address, name: embedded, server: 'runs', stop };
    try {
      const own = await startOwn(folder, options);
      return { address: own.connection, name: embedded, server: 'stopped', stop: own.stop };
    } catch (error) {
      // A server started in between: connect to its database.
      const holder = error instanceof FolderInUse ? error.holder : undefined;
      if (!holder?.alive || holder.role !== 'server') throw error;
    }
  }
}

function startOwn(dataDir: string, options: AdminOptions) {
  return startEmbeddedPostgres({ dataDir, log: logTo(options), role: 'command', signal: options.signal });
}

const logTo = ({ note = () => {} }: AdminOptions): Log => ({ info: note, error: (_details, message) => note(message) });

/** Calls `make` at the first `get`; `made` returns its result or undefined without calling it. */
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

/** Has its own process number, so that servers do not sweep this command's staged files. */
async function openBytes(
  config: Config,
  db: Database,
  processRegistry: ProcessRegistry,
  options: AdminOptions,
): Promise<Storage> {
  await ensureDataDir(config.dataDir);
  const { withoutKeys: without } = options;
  const log = { warn: logTo(options).error };
  return openStorage({ config, db, processRegistry, log, isServer: false, originalKey, without });
}

/** Switches from root to the owner of the server's files. The owner could not open files that root leaves there, such as a socket. */
function becomeOwnerOf(dataDir: string): void {
  if (process.getuid?.() !== 0 || !process.setgroups || !process.setgid || !process.setuid) return;
  const folder = [join(dataDir, 'files'), dataDir].find(existsSync);
  const owner = folder === undefined ? undefined : statSync(folder);
  if (owner === undefined || owner.uid === 0) return;
  process.setgroups([]);
  process.setgid(owner.gid);
  process.setuid(owner.uid);
}
