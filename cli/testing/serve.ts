/** A server that answers as a test says. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { Connection } from '../api/http.ts';

export async function serve(
  t: Test,
  listener: RequestListener,
): Promise<{ waits: string[]; connection: Required<Connection> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const waits: string[] = [];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { waits, connection: { address, token: 'secret', onWait: (text: string) => void waits.push(text) } };
}
