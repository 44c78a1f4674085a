/** Validates what the provider sends when a session ends there (OpenID Connect Back-Channel Logout 1.0, 2.6). */
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { InvalidRequest } from '../../errors.ts';
import type { ProviderClient } from './provider-client.ts';
import type { EndedAtProvider } from './queries.ts';

declare module '../challenge-queries.ts' {
  interface ChallengeData {
    /** A logout token that was accepted, so that it is not accepted again. */
    'logout-token': Record<string, never>;
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** No HMAC: its key would be the client's secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Seconds. */
const maxAge = 300;
const tolerance = 30;

/** Milliseconds that an accepted token is remembered: longer than any is accepted. */
export const rememberedFor = 2 * (maxAge + tolerance) * 1000;

export type LogoutToken = EndedAtProvider & { jti: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws Error that says what is wrong */
function read({ iss = '', sub, sid, jti = '', events, ...rest }: JWTPayload): LogoutToken {
  if (!isObject(events) || !isObject(events[logoutEvent])) throw new Error('it has no logout event');
  if ('nonce' in rest) throw new Error('it has a nonce');
  const isText = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '');
  if (!isText(sub) || !isText(sid) || (sub === undefined && sid === undefined)) throw new Error('it names no session');
  return { issuer: iss, subject: sub, sid: sid as string | undefined, jti };
}

export function createLogoutTokenReader(provider: Pick<ProviderClient, 'signer'>, clientId: string) {
  let keys: { uri: string; get: JWTVerifyGetKey } | undefined;

  /** @throws InvalidRequest, ProviderProblem */
  return async function readToken(token: string): Promise<LogoutToken> {
    const { issuer, jwksUri, timeoutMs } = await provider.signer();
    const { createRemoteJWKSet, jwtVerify } = await import('jose');
    if (keys?.uri !== jwksUri) {
      keys = { uri: jwksUri, get: createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: timeoutMs }) };
    }
    try {
      const requiredClaims = ['iss', 'aud', 'iat', 'exp', 'jti', 'events'];
      const checks = { issuer, audience: clientId, algorithms, requiredClaims, maxTokenAge: maxAge };
      const { payload, protectedHeader } = await jwtVerify(token, keys.get, { ...checks, clockTolerance: tolerance });
      const { typ = 'JWT' } = protectedHeader;
      if (!/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ)) throw new Error('it is of another type');
      return read(payload);
    } catch (error) {
      throw new InvalidRequest(`The logout token is not accepted: ${(error as Error).message}.`);
    }
  };
}
