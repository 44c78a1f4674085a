/**
 * How many connections there may be, in all and from one address, so that sockets held open by one cannot keep out the
 * others. Which of them are idle, and for how long, is Node's to judge (server-options.ts: 20 s until the headers are
 * whole, counted from the connection on; 72 s between two requests).
 */
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { membership } from '../networks.ts';
import { addressKey, networkKey } from './address.ts';

export const connections = fp<{ max: number; proxies: readonly string[] }>(
  async (app, { max, proxies }) => {
    const isProxy = membership(proxies);
    // A proxy holds everybody's connections: also one that TRUST_PROXY does not name, hence the generous share.
    const share = Math.ceil(max / 2);
    // A /48 of IPv6 holds many addresses; some connections are left to everybody else.
    const networkShare = Math.ceil((max * 3) / 4);
    const open = new Map<string, number>();

    /** @returns how many the key has */
    function count(key: string, socket: Socket): number {
      const now = (open.get(key) ?? 0) + 1;
      open.set(key, now);
      socket.once('close', () => {
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      });
      return now;
    }

    app.server.maxConnections = max;
    // The last ones are worth more to who has something to say.
    app.server.on('drop', () => app.server.closeIdleConnections());
    app.server.on('connection', (socket: Socket) => {
      const address = socket.remoteAddress ?? '';
      if (isProxy(address)) return;
      const network = networkKey(address);
      const ofAddress = count(addressKey(address), socket);
      const ofNetwork = network === undefined ? 0 : count(network, socket);
      if (ofAddress > share || ofNetwork > networkShare) socket.destroy();
    });
  },
  { name: 'connections' },
);
