/** An OpenID provider for tests that sends false answers. It listens on plain http, on this machine only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { Test } from 'tap';

export type Lies = {
  /** Changes of the ID token's claims; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  otherKey?: boolean;
  unsigned?: boolean;
  /** Signs with the client's secret, which the server does not accept either. */
  symmetric?: boolean;
  withoutIdToken?: boolean;
  userinfo?: Record<string, unknown>;
  /** Status of every answer. */
  status?: number;
  /** It never answers. */
  silent?: boolean;
  /** Changes of its settings. */
  metadata?: Record<string, unknown>;
};

export type FalseProvider = Awaited<ReturnType<typeof startFalseProvider>>;

export const clientId = 'gallery';
export const clientSecret = 'a secret of the client';
export const subject = 'subject-1';

const own = await generateKeyPair('RS256');
const other = await generateKeyPair('RS256');
const publicKey = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };

const seconds = () => Math.floor(Date.now() / 1000);

/** @returns a token of these claims; those that are undefined are left out */
async function sign(
  claims: Record<string, unknown>,
  { otherKey, unsigned, symmetric }: Lies,
  typ = 'JWT',
): Promise<string> {
  const payload: JWTPayload = JSON.parse(JSON.stringify(claims));
  if (unsigned) return new UnsecuredJWT(payload).encode();
  if (symmetric) {
    return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ }).sign(new TextEncoder().encode(clientSecret));
  }
  const key = otherKey ? other.privateKey : own.privateKey;
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'own', typ }).sign(key);
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  end_session_endpoint: `${issuer}/logout`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  authorization_response_iss_parameter_supported: true,
});

export async function startFalseProvider(t: Test) {
  const state = { lies: {} as Lies, nonce: '', calls: [] as string[], form: new URLSearchParams() };
  let issuer = '';

  async function tokens(): Promise<object> {
    const { lies, nonce } = state;
    const [iat, names] = [seconds(), { email: 'amira@example.com', email_verified: true, preferred_username: 'amira' }];
    const claims = { iss: issuer, sub: subject, aud: clientId, iat, exp: iat + 300, nonce, sid: 'sid-1', ...names };
    const idToken = lies.withoutIdToken ? {} : { id_token: await sign({ ...claims, ...lies.claims }, lies) };
    return { access_token: 'at', token_type: 'Bearer', expires_in: 60, ...idToken };
  }

  const answers: Record<string, () => object | Promise<object>> = {
    '/.well-known/openid-configuration': () => ({ ...metadataOf(issuer), ...state.lies.metadata }),
    '/jwks': () => ({ keys: [publicKey] }),
    '/token': tokens,
    '/userinfo': () => ({ sub: state.lies.claims?.sub ?? subject, ...state.lies.userinfo }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    state.calls.push(path);
    if (request.method === 'POST') state.form = await bodyOf(request);
    const { status, silent } = state.lies;
    if (silent) return;
    const content = status === undefined && answers[path] ? JSON.stringify(await answers[path]()) : '{}';
    response.writeHead(status ?? 200, { 'content-type': 'application/json' }).end(content);
  }

  const server = createServer((request, response) => void answer(request, response));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(stop);

  return {
    issuer,
    /** Paths that were called. */
    calls: state.calls,
    /** The last form that was sent to it. */
    form: () => state.form,
    lie: (lies: Lies) => {
      state.lies = lies;
    },
    /** The nonce that its next ID token has. */
    setNonce: (nonce: string) => {
      state.nonce = nonce;
    },
    stop,
    restart: () => listen(Number(new URL(issuer).port)),
    /** @returns a logout token with these changes */
    async logoutToken(changes: Record<string, unknown> = {}, lies: Lies = {}, typ = 'logout+jwt'): Promise<string> {
      const iat = seconds();
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const claims = {
        iss: issuer,
        aud: clientId,
        iat,
        exp: iat + 120,
        jti: crypto.randomUUID(),
        events,
        sub: subject,
      };
      return sign({ ...claims, ...changes }, lies, typ);
    },
  };
}
