import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { adminCommand } from '../../lib/admin-command.ts';
import { createClaim } from './queries.ts';

export const promoteCommand = (): string => adminCommand('users promote NAME');

/** The link, or only its path where the server does not know the address at which people reach it. */
function linkTo(path: string, { server }: FastifyInstance, publicUrl: string | undefined): string {
  if (publicUrl) return publicUrl + path;
  const { address, port, family } = server.address() as AddressInfo;
  const host = `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  const isEveryAddress = address === '0.0.0.0' || address === '::';
  return isEveryAddress ? `${path} at the address of this server, which listens on ${host}` : `http://${host}${path}`;
}

/** While there is no administrator, prints a link with which a person becomes the first one. It works once. */
export function announceClaim(app: FastifyInstance, { publicUrl, setupToken }: Config): void {
  app.addHook('onListen', async () => {
    const token = await createClaim(app.db);
    if (token === undefined) return;
    const besides = setupToken === undefined ? '' : 'enter SETUP_TOKEN at /setup, or ';
    // In the fragment, which browsers do not send, so that no proxy logs the token. Not in the log, which is on the standard output.
    console.error(
      `This server has no administrator. To become one, open ${linkTo(`/claim#token=${token}`, app, publicUrl)} (works once). ` +
        `You can also ${besides}run: ${promoteCommand()}`,
    );
  });
}
