/** A proxy to one process that can change its answers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { type Answer, call } from '../../trust-tests/testing/call.ts';

type Asked = { method: string; path: string };

/** @returns what replaces the answer; undefined to forward it unchanged */
export type Lie = (asked: Asked, answer: Answer) => { status?: number; body?: string | Uint8Array } | undefined;

export type Liar = {
  origin: string;
  tell(lie: Lie | undefined): void;
};

/** Headers of the connection, which are not forwarded. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding'];

export async function startLiar(t: Test, origin: string): Promise<Liar> {
  let lie: Lie | undefined;
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { method = 'GET', url: path = '/', headers, socket } = request;
    try {
      const body = Buffer.concat(await request.toArray());
      const sent = { method, headers, from: socket.remoteAddress, ...(body.length > 0 ? { body } : {}) };
      const answer = await call(origin, path, sent);
      const told = lie?.({ method, path }, answer);
      const own = Object.entries(answer.headers).filter(([name]) => !ofConnection.includes(name));
      const length = told?.body === undefined ? {} : { 'content-length': Buffer.byteLength(told.body) };
      response.writeHead(told?.status ?? answer.status, { ...Object.fromEntries(own), ...length });
      response.end(told?.body ?? answer.bytes);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(next) {
      lie = next;
    },
  };
}
