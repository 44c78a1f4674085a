import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { createClaim } from './queries.ts';

function listeningAt(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  const isThisMachine = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(address);
  const host = isThisMachine ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** While there is no administrator, prints a link with which a person becomes the first one. It works once. */
export function announceClaim(app: FastifyInstance, { publicUrl, logLevel }: Config): void {
  if (logLevel === 'silent') return;
  app.addHook('onListen', async () => {
    const token = await createClaim(app.db);
    if (token === undefined) return;
    // In the fragment, which browsers do not send, so that no proxy logs the token. Not in the log, which is on the standard output.
    console.error(
      `This server has no administrator. To become it, open ${publicUrl ?? listeningAt(app)}/claim#token=${token} ` +
        '(works once), or run: npm run admin -- users promote <account>',
    );
  });
}
