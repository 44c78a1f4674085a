import { createHash, randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { codeOf, DatabaseStartError } from '../start-error.ts';

/**
 * Exclusive ownership of a folder, held by a listening socket: once its process dies, for whatever reason, nobody
 * answers. Process ids cannot serve here, since they repeat in containers.
 *
 * A dead socket's file cannot be replaced atomically, so two starters could both believe they had replaced it. Hence
 * generations: a starter that finds owner.7 dead links owner.8 (link never overwrites) and loses if it then sees a
 * higher one.
 */
export type OwnerLock = { release(): void };

/** A server keeps running; a command ends. */
export type Role = 'server' | 'command';

/** `role` is unknown if the holder is too busy to respond. */
export type Holder = { alive: false } | { alive: true; pid?: number; role?: Role };

export class FolderInUse extends DatabaseStartError {
  readonly holder: Holder;

  constructor(folder: string, holder: Holder = { alive: true }) {
    const pid = holder.alive && holder.pid ? ` (pid ${holder.pid})` : '';
    super(
      `Another process${pid} is already using the database in ${folder}; stop it, or set another DATA_DIR, or set ` +
        'DATABASE_URL so that several processes can share one database.',
    );
    this.holder = holder;
  }
}

const GENERATION = /^owner\.(\d+)\.sock$/;

/** @throws FolderInUse, DatabaseStartError */
export async function acquireOwnerLock(folder: string, role: Role = 'server'): Promise<OwnerLock> {
  if (process.platform === 'win32') return acquirePipe(folder, role);
  const short = shortPath(folder);
  try {
    return await acquireSocket(folder, short.path, role);
  } finally {
    short.close();
  }
}

export async function holderOf(folder: string): Promise<Holder> {
  if (process.platform === 'win32') return probe(pipeOf(folder));
  const short = shortPath(folder);
  try {
    const highest = generations(folder).at(-1);
    return highest === undefined ? { alive: false } : await probe(socketPath(short.path, highest));
  } finally {
    short.close();
  }
}

/** A path of the folder that leaves room for a socket's name: socket paths have about a hundred characters at most. */
function shortPath(folder: string): { path: string; close(): void } {
  if (Buffer.byteLength(folder) < 70) return { path: folder, close: () => {} };
  if (process.platform !== 'linux') {
    throw new DatabaseStartError(`DATA_DIR: the path ${folder} is too long; set a shorter one, or set DATABASE_URL.`);
  }
  const handle = openSync(folder, 'r');
  return { path: `/proc/self/fd/${handle}`, close: () => closeSync(handle) };
}

async function acquireSocket(folder: string, path: string, role: Role): Promise<OwnerLock> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const highest = generations(folder).at(-1) ?? 0;
    if (highest > 0) refuseIfAlive(await probe(socketPath(path, highest)), folder);
    const server = await claim(folder, path, highest + 1, role);
    if (server) {
      sweep(folder, highest + 1);
      // The dead socket's file stays, so that generations keep growing.
      return { release: () => server.close() };
    }
  }
  throw new FolderInUse(folder);
}

/** Returns a server that listens under the generation's name, or undefined if another process was faster. */
async function claim(folder: string, path: string, generation: number, role: Role): Promise<Server | undefined> {
  const draft = join(path, `owner.${randomUUID().slice(0, 8)}`);
  const server = await listen(draft, folder, role);
  try {
    linkSync(draft, socketPath(path, generation));
    if (generations(folder).at(-1) === generation) return server;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOENT') {
      server.close();
      throw unsupported(folder, error);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  server.close();
  return undefined;
}

function listen(path: string, folder: string, role: Role): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`${process.pid} ${role}\n`);
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(process.platform === 'win32' ? error : unsupported(folder, error)));
    server.listen(path, () => resolve(server));
  });
}

/** A connection alone shows that the holder is running; it may be too busy to respond. */
function probe(path: string): Promise<Holder> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let text = '';
    const alive = () => {
      socket.destroy();
      const [, pid, role] = /^(\d+)(?: (server|command))?\n/.exec(text) ?? [];
      resolve(
        pid === undefined ? { alive: true } : { alive: true, pid: Number(pid), role: (role ?? 'server') as Role },
      );
    };
    socket.setTimeout(1000, alive);
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('end', alive);
    socket.on('error', (error) => {
      const dead = codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT';
      if (dead) resolve({ alive: false });
      else alive();
    });
  });
}

const pipeOf = (folder: string) =>
  `\\\\.\\pipe\\gallery-${createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32)}`;

async function acquirePipe(folder: string, role: Role): Promise<OwnerLock> {
  const pipe = pipeOf(folder);
  try {
    const server = await listen(pipe, folder, role);
    return { release: () => server.close() };
  } catch (_error) {
    refuseIfAlive(await probe(pipe), folder);
    throw new FolderInUse(folder);
  }
}

const socketPath = (folder: string, generation: number) => join(folder, `owner.${generation}.sock`);

const generations = (folder: string): number[] =>
  readdirSync(folder)
    .map((name) => Number(GENERATION.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);

function sweep(folder: string, generation: number): void {
  for (const name of readdirSync(folder)) {
    const number = Number(GENERATION.exec(name)?.[1] ?? 0);
    if (name.startsWith('owner.') && number < generation) rmSync(join(folder, name), { force: true });
  }
}

function refuseIfAlive(holder: Holder, folder: string): void {
  if (holder.alive) throw new FolderInUse(folder, holder);
}

function unsupported(folder: string, error: unknown): DatabaseStartError {
  return new DatabaseStartError(
    `The file system of ${folder} cannot hold the embedded database's sockets (${codeOf(error)}); set DATA_DIR to a ` +
      'local disk, or set DATABASE_URL.',
  );
}
