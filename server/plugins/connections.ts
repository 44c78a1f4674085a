/**
 * How many connections there may be, in all and from one address, so that sockets held open by one cannot keep out the
 * others. Which of them are idle, and for how long, is Node's to judge (server-options.ts: 20 s until the headers are
 * whole, counted from the connection on; 72 s between two requests).
 */
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { addressKey } from '../rate-limit/address.ts';
import { membership } from './networks.ts';

export const connections = fp<{ max: number; proxies: readonly string[] }>(
  async (app, { max, proxies }) => {
    const isProxy = membership(proxies);
    // A proxy holds everybody's connections: also one that TRUST_PROXY does not name, hence the generous share.
    const share = Math.ceil(max / 2);
    const open = new Map<string, number>();

    app.server.maxConnections = max;
    // The last ones are worth more to who has something to say.
    app.server.on('drop', () => app.server.closeIdleConnections());
    app.server.on('connection', (socket: Socket) => {
      const address = socket.remoteAddress ?? '';
      if (isProxy(address)) return;
      const key = addressKey(address);
      const count = (open.get(key) ?? 0) + 1;
      open.set(key, count);
      socket.once('close', () => {
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      });
      if (count > share) socket.destroy();
    });
  },
  { name: 'connections' },
);
