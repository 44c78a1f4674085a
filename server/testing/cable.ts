/** A TCP proxy to a server on this machine whose connection can be cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export type Cable = {
  port: number;
  /** Refuses new connections and cuts open ones. */
  pull(): Promise<void>;
  /** Keeps connections open, but drops all data in both directions. */
  silence(): void;
  /** @param change may modify the bytes that come back; undefined leaves them unchanged */
  tamper(change: ((bytes: Buffer) => void) | undefined): void;
  plugIn(): Promise<void>;
};

export async function layCable(t: Test, target: { host: string; port: number }): Promise<Cable> {
  const sockets = new Set<Socket>();
  let silent = false;
  let change: ((bytes: Buffer) => void) | undefined;
  const line = createServer((client) => {
    const server = connect(target);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    client.on('data', (chunk) => silent || server.write(chunk));
    server.on('data', (chunk: Buffer) => {
      change?.(chunk);
      return silent || client.write(chunk);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listen = async (port: number) => {
    line.listen(port, '127.0.0.1');
    await once(line, 'listening');
    return (line.address() as AddressInfo).port;
  };
  const pull = async () => {
    if (!line.listening) return;
    line.close();
    cut();
    await once(line, 'close');
  };
  const port = await listen(0);
  t.teardown(pull);
  return {
    port,
    pull,
    silence() {
      silent = true;
    },
    tamper(wanted) {
      change = wanted;
    },
    async plugIn() {
      if (silent) cut();
      silent = false;
      if (!line.listening) await listen(port);
    },
  };
}
