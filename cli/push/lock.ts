/** Lets one `push` at a time use a journal. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes that every system allows in the path of a socket. */
const longestPath = 100;

/** Two processes that start at once can refuse each other, so each tries again after a random pause. */
const mostTries = 4;

const hashOf = (journal: string) => createHash('sha256').update(journal).digest('hex').slice(0, 16);

function listens(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).unref();
  return once(server.listen(path), 'listening').then(() => server);
}

async function isHeld(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code));
  } finally {
    socket.destroy();
  }
}

/** A pipe of Windows has no file that could be left behind. */
const claimPipe = (journal: string): Promise<Server | undefined> =>
  listens(`\\\\.\\pipe\\gallery-push-${hashOf(journal)}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return undefined;
    throw error;
  });

/**
 * Listens, and then looks for others: of two processes, the one that looks later sees the other. Each has a socket of a
 * name that is never used again, so removing that of a killed process cannot remove that of a running one.
 */
async function claimSocket(journal: string): Promise<Server | undefined> {
  const name = `push-${hashOf(journal)}`;
  const own = `${name}-${randomBytes(6).toString('hex')}.lock`;
  const beside = dirname(journal);
  const folder = Buffer.byteLength(join(beside, own)) <= longestPath ? beside : tmpdir();
  const server = await listens(join(folder, own));
  for (const other of readdirSync(folder)) {
    if (other === own || !other.startsWith(name) || !other.endsWith('.lock')) continue;
    if (await isHeld(join(folder, other))) {
      server.close();
      return undefined;
    }
    rmSync(join(folder, other), { force: true });
  }
  return server;
}

/** Held as a listening socket, which the system closes when the process is killed. @throws Error if another process holds it */
export async function lock(journal: string): Promise<() => void> {
  mkdirSync(dirname(journal), { recursive: true, mode: 0o700 });
  const claim = process.platform === 'win32' ? claimPipe : claimSocket;
  for (let tries = 1; tries <= mostTries; tries++) {
    const server = await claim(journal);
    if (server) return () => server.close();
    await sleep(Math.random() * 100);
  }
  throw new Error('Another "gallery push" to this server is running. Wait until it ends.');
}
