import { accessSync, chownSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerAdvice } from '../../lib/owner-advice.ts';
import type { Address } from '../address.ts';
import type { Log } from '../log.ts';
import { codeOf, DatabaseStartError } from '../start-error.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { chooseLauncher, type Launcher } from './launcher.ts';
import { acquireOwnerLock, FolderInUse, type OwnerLock, type Role } from './owner-lock.ts';
import { ensurePassword } from './password.ts';
import { DATABASE, ROLE } from './role-statement.ts';
import { ensureServerRole } from './server-role.ts';
import { type KeptPostgres, keepPostgresRunning } from './supervisor.ts';

export type EmbeddedPostgres = {
  /** Logs in as the role that owns the tables; the superuser cannot log in (server-role.ts). */
  connection: Address;
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  log: Log;
  role?: Role | undefined;
  /** Called when only waiting is left: for Postgres to start, or for an administrator's command to finish. */
  onWait?: () => void;
  signal?: AbortSignal | undefined;
};

const SOCKET_PORT = 5432;
const SERVER_TIMEOUT = 60_000;
// sun_path has 108 bytes on Linux and 104 on macOS, including the terminating zero.
const MAX_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107;

/**
 * Starts a Postgres in `dataDir` and restarts it when it dies, until stop() is called.
 * @throws DatabaseStartError: one line, for instance if another running process uses the folder
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, log, onWait = () => {} } = options;
  const folder = prepareFolder(dataDir);
  const lock = await acquireFolder(folder, options);
  let sockets: SocketFolder | undefined;
  try {
    const binaries = await findBinaries();
    const launcher = await chooseLauncher(binaries, folder);
    const cluster = await ensureCluster(folder, binaries, launcher);
    sockets = socketFolder(folder, launcher);
    const address = await addressIn(folder, sockets.path);
    const parameters = { folder, cluster, binaries, launcher, address };
    await ensureServerRole(parameters);
    const server = await keepPostgresRunning(parameters, log, onWait);
    return { connection: address, stop: () => stop(server, sockets, lock.release) };
  } catch (error) {
    sockets?.remove();
    lock.release();
    throw error;
  }
}

/** Acquires the folder's lock. Waits while a command has it: forever as a command, up to SERVER_TIMEOUT as a server. */
async function acquireFolder(
  folder: string,
  { log, role = 'server', onWait = () => {}, signal }: Options,
): Promise<OwnerLock> {
  const end = role === 'server' ? Date.now() + SERVER_TIMEOUT : Number.POSITIVE_INFINITY;
  for (let hasLogged = false; ; hasLogged = true) {
    try {
      return await acquireOwnerLock(folder, role);
    } catch (error) {
      const holder = error instanceof FolderInUse && error.holder.alive ? error.holder : undefined;
      if (holder?.role !== 'command' || Date.now() > end) throw error;
      if (!hasLogged)
        log.info(`Waiting for a command of the administrator (pid ${holder.pid}) that uses the database.`);
    }
    onWait();
    await sleep(200, undefined, { signal });
  }
}

async function stop(server: KeptPostgres, sockets: SocketFolder | undefined, release: () => void): Promise<void> {
  await server.stop();
  sockets?.remove();
  release();
}

function prepareFolder(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    const code = codeOf(error);
    throw new DatabaseStartError(
      `DATA_DIR: the folder ${dataDir} cannot be made or written by this user (${code})${ownerAdvice(dataDir, code)}`,
    );
  }
}

type SocketFolder = { path: string; remove(): void };

/** The socket's folder, next to the cluster; a temporary folder if that path is too long for a socket. */
function socketFolder(folder: string, { uid, gid }: Launcher): SocketFolder {
  const inFolder = join(folder, 'socket');
  const fits = Buffer.byteLength(join(inFolder, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH;
  const path = fits ? inFolder : mkdtempSync(join(tmpdir(), 'gallery-'));
  if (fits) mkdirSync(path, { recursive: true, mode: 0o700 });
  if (uid !== undefined) chownSync(path, uid, gid ?? uid);
  return { path, remove: () => fits || rmSync(path, { recursive: true, force: true }) };
}

async function addressIn(folder: string, socketPath: string): Promise<Address> {
  const common = { user: ROLE, password: ensurePassword(folder), database: DATABASE };
  if (process.platform !== 'win32') return { host: socketPath, port: SOCKET_PORT, ...common };
  return { host: '127.0.0.1', port: await freePort(), ...common };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : SOCKET_PORT));
    });
  });
}
