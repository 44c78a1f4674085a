/** Logs in by the false provider, as a browser does. */

import type { FastifyInstance } from 'fastify';
import { proofOf } from '../../../testing/account.ts';
import { clientId, clientSecret, type FalseProvider, type Lies } from './false-provider.ts';

export const publicUrl = 'http://gallery.example';

/** Settings of a server whose provider is this one. */
export const settingsFor = ({ issuer }: Pick<FalseProvider, 'issuer'>) => ({
  publicUrl,
  oidcIssuer: issuer,
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
});

const headers = { host: new URL(publicUrl).host };

type Started = { location: URL; cookie: string };

const cookieOf = (answer: { cookies: { name: string; value: string }[] }) =>
  answer.cookies.filter(({ name }) => name === 'provider').map(({ name, value }) => `${name}=${value}`)[0] ?? '';

export async function startLogin(app: FastifyInstance, query = ''): Promise<Started> {
  const answer = await app.inject({ url: `/api/auth/provider/start${query}`, headers });
  return { location: new URL(String(answer.headers.location)), cookie: cookieOf(answer) };
}

async function startByCall(app: FastifyInstance, path: string, more: object): Promise<Started> {
  const answer = await app.inject({ method: 'POST', url: `/api/auth/provider/${path}`, headers, ...more });
  if (answer.statusCode !== 200) throw new Error(`no login started: ${answer.body}`);
  return { location: new URL(answer.json().url), cookie: cookieOf(answer) };
}

/** @param secret of the link of an invitation or a claim */
export const startWithLink = (app: FastifyInstance, secret: string) =>
  startByCall(app, 'start', { payload: { secret } });

/** @returns the paths to which the browser is led, if the provider answers all of these logins at once */
export async function returnAtOnce(
  app: FastifyInstance,
  provider: FalseProvider,
  started: readonly Started[],
  lies: Lies,
): Promise<string[]> {
  const nonce = started[0]?.location.searchParams.get('nonce') ?? '';
  // The provider has one nonce for all of them, so that they share it here.
  const shared = `jsonb_set(data, '{nonce}', '"${nonce}"')`;
  await app.db.execute(`update challenges set data = ${shared} where kind = 'provider-login'`);
  for (const { location } of started) location.searchParams.set('nonce', nonce);
  const paths = await Promise.all(started.map((one) => returnTo(app, provider, one, { lies, keepsLies: true })));
  provider.lie({});
  return paths;
}

/** Of the session's owner, by a new login. */
export const startConfirmation = (app: FastifyInstance, bearer: { authorization: string }) =>
  startByCall(app, 'proof', { headers: { ...headers, ...bearer } });

export async function startLink(app: FastifyInstance, bearer: { authorization: string }): Promise<Started> {
  const payload = { proof: await proofOf(app, bearer) };
  return startByCall(app, 'link', { payload, headers: { ...headers, ...bearer } });
}

type Return = {
  lies?: Lies | undefined;
  /** Changes of the query with which the provider leads back; undefined removes a parameter. */
  query?: Record<string, string | undefined>;
  cookie?: string;
  /** The false answers stay, for several calls at once. */
  keepsLies?: boolean;
};

/** @returns the path to which the browser is led */
export async function returnTo(
  app: FastifyInstance,
  provider: FalseProvider,
  { location, cookie }: Started,
  { lies = {}, query = {}, ...changes }: Return = {},
): Promise<string> {
  provider.lie(lies);
  provider.setNonce(location.searchParams.get('nonce') ?? '');
  const state = location.searchParams.get('state') ?? '';
  const sent = { code: 'a-code', state, iss: provider.issuer, ...query };
  const known = Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const url = `/api/auth/provider/callback?${new URLSearchParams(known)}`;
  const answer = await app.inject({ url, headers: { ...headers, cookie: changes.cookie ?? cookie } });
  if (!changes.keepsLies) provider.lie({});
  return String(answer.headers.location).replace(publicUrl, '');
}

/** @param open headers of a session that is open in the browser */
export async function finish(app: FastifyInstance, path: string, cookie: string, open = {}, more: object = {}) {
  const [, code = ''] = /#provider=([\w-]+)/.exec(path) ?? [];
  const call = { method: 'POST', url: '/api/auth/provider/finish', payload: { code, ...more } } as const;
  return app.inject({ ...call, headers: { ...headers, cookie, ...open } });
}

/** A whole login. @throws Error unless it leads to a session */
export async function logInByProvider(app: FastifyInstance, provider: FalseProvider, lies?: Lies) {
  const started = await startLogin(app);
  const path = await returnTo(app, provider, started, { lies });
  const answer = await finish(app, path, started.cookie);
  if (answer.statusCode !== 200) throw new Error(`login failed: ${path} ${answer.body}`);
  const { access_token: token, user } = answer.json();
  return { user, bearer: { authorization: `Bearer ${token}` }, path };
}
