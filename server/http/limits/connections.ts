/** One client's open sockets must not keep others out. Node closes idle ones (server-options.ts). */
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { ClientGone } from '../../errors.ts';
import { membership } from '../networks.ts';
import { addressKey, networkKey } from './address.ts';

export const connections = fp<{ max: number; proxies: readonly string[] }>(
  async (app, { max, proxies }) => {
    const isProxy = membership(proxies);
    // The share is generous because a proxy that TRUST_PROXY does not name holds everyone's connections.
    const share = Math.ceil(max / 2);
    // A /48 holds many addresses; some connections remain for other networks.
    const networkShare = Math.ceil((max * 3) / 4);
    const open = new Map<string, number>();

    /** @returns the open connections of the key */
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

    // The client has gone, so nobody reads an answer, and the limits have no address to count.
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      done(raw.socket.remoteAddress === undefined ? new ClientGone() : undefined);
    });

    app.server.maxConnections = max;
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
