/** Lets one `push` at a time use a journal. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Bytes that every system allows in the path of a socket. */
const longestPath = 100;

function socketOf(journal: string): string {
  const hash = createHash('sha256').update(journal).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\gallery-push-${hash}`;
  const beside = join(dirname(journal), `push-${hash}.lock`);
  return Buffer.byteLength(beside) <= longestPath ? beside : join(tmpdir(), `gallery-push-${hash}.lock`);
}

const listens = async (server: Server, path: string) => {
  server.listen(path);
  await once(server, 'listening');
};

async function isHeld(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Held as a listening socket, which the system closes when the process is killed. @throws Error if another process holds it */
export async function lock(journal: string): Promise<() => void> {
  const path = socketOf(journal);
  mkdirSync(dirname(journal), { recursive: true, mode: 0o700 });
  const server = createServer((socket) => socket.destroy());
  server.unref();
  try {
    await listens(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (await isHeld(path)) throw new Error('Another "gallery push" to this server is running. Wait until it ends.');
    // Left by a killed process.
    rmSync(path, { force: true });
    await listens(server, path);
  }
  return () => server.close();
}
