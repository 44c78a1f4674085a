/** A proxy between page and server that carries a set number of upload bytes, and can be disconnected at that point. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Test } from 'tap';

/** Bytes. */
export type Load = { forms: number; pieces: number };

export interface Line {
  readonly origin: string;
  /** Resolves once that many bytes of each kind were carried, by default unlimited; further bytes then wait. */
  carry(load?: Load): Promise<unknown>;
  /** Breaks all connections, and new ones until `join`. */
  pull(): void;
  /** Connects to the server at this port. */
  join(port: string): void;
}

const everything: Load = { forms: Number.POSITIVE_INFINITY, pieces: Number.POSITIVE_INFINITY };

function kindOf({ method, url }: IncomingMessage): keyof Load | undefined {
  if (method === 'PATCH') return 'pieces';
  return url === '/api/images/upload' ? 'forms' : undefined;
}

export async function openLine(t: Test, firstPort: string): Promise<Line> {
  let port: string | undefined = firstPort;
  let left: Load = { ...everything };
  const events = new EventEmitter().setMaxListeners(0);

  async function* metered(call: IncomingMessage) {
    const kind = kindOf(call);
    for await (const chunk of call) {
      if (kind !== undefined) {
        if (left[kind] <= 0) await once(events, 'open');
        left[kind] -= chunk.length;
        if (left.forms <= 0 && left.pieces <= 0) events.emit('carried');
      }
      yield chunk;
    }
  }

  const line = createServer((call, reply) => {
    const { method, url, headers } = call;
    const broken = () => reply.destroy();
    if (port === undefined) return broken();
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    onward.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, reply).catch(broken);
    });
    onward.on('error', broken);
    reply.on('close', () => reply.writableFinished || onward.destroy());
    pipeline(metered(call), onward).catch(broken);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const pull = () => {
    port = undefined;
    line.closeAllConnections();
    events.emit('open');
  };
  t.teardown(() => {
    pull();
    line.close();
  });
  return {
    origin: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    carry(load = everything) {
      left = { ...load };
      return once(events, 'carried');
    },
    pull,
    join(next) {
      port = next;
    },
  };
}
