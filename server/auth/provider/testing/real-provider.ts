/** A certified OpenID provider, `oidc-provider`, with its own pages for logins. Accepts any name and password. */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import type { Test } from 'tap';
import { freePort } from '../../../testing/free-port.ts';

export const secret = 'a secret of the real provider';

/** @param gallery origin of the server that logs in by it */
export async function startRealProvider(t: Test, gallery: string): Promise<{ issuer: string; errors: string[] }> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const callback = `${gallery}/api/auth/provider`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'gallery',
        client_secret: secret,
        redirect_uris: [`${callback}/callback`],
        post_logout_redirect_uris: [`${gallery}/login?local`],
        backchannel_logout_uri: `${callback}/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        ...{ email: `${id}@provider.example`, email_verified: true },
        ...{ name: `${id} of the provider`, preferred_username: id, groups: ['staff', `${id}s`] },
      }),
    }),
    // Its own dispatcher refuses addresses of this machine.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    cookies: { keys: ['the key of its cookies'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  });
  const errors: string[] = [];
  for (const event of ['server_error', 'backchannel.error', 'grant.error']) {
    provider.on(event, (...values: unknown[]) =>
      errors.push(`${event}: ${values.flatMap((one) => (one instanceof Error ? [one.message, one.cause] : []))}`),
    );
  }
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { issuer, errors };
}
