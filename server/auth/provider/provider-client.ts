/** Calls the provider: the code flow with PKCE, its keys, its logout. Nothing is called before a login needs it. */
import type { ServerMetadata } from 'openid-client';
import type { Config } from '../../config/config.ts';
import { type Claims, wantedClaims } from './claims.ts';
import { createDiscovery, library } from './discovery.ts';
import { ProviderProblem, providerProblem } from './problem.ts';
import { callbackPath, type ProviderSettings, providerSettings } from './provider-settings.ts';

/** A person whom the provider has identified. */
export type Identified = {
  issuer: string;
  subject: string;
  /** The provider's session, if it names one. */
  sid: string | null;
  idToken: string | null;
  /** Of the ID token, and of the userinfo for those that the ID token lacks. */
  claims: Claims;
};

/** What one login must see again in the provider's answer. */
export type Checks = {
  state: string;
  nonce: string;
  verifier: string;
  /** Seconds since 1970: the person must have logged in at the provider after this, not only have a session there. */
  since?: number | undefined;
};

export type ProviderClient = ReturnType<typeof createProviderClient>;

/** What a provider publishes. */
type Metadata = Readonly<Pick<ServerMetadata, 'issuer' | 'claims_supported'> & { prompt_values_supported?: unknown }>;

/** Characters of an ID token that is kept for the logout there. A longer one would not fit into an address. */
export const longestHint = 4096;

/** Seconds by which the clocks here and at the provider may differ. */
const clockTolerance = 60;

/** Every provider must report the time of a login (OpenID Connect Core, 15.1), but some list their claims without it. */
const reportsTimes = ({ claims_supported: claims }: Metadata) => claims?.includes('auth_time') ?? true;

/** Google publishes no `prompt_values_supported`. It refuses `login`: it knows `none`, `consent` and `select_account`. */
const withoutLoginPrompt = 'https://accounts.google.com';

const knowsLoginPrompt = ({ issuer, prompt_values_supported: prompts }: Metadata) =>
  Array.isArray(prompts) ? prompts.includes('login') : issuer !== withoutLoginPrompt;

/** @returns the parameters that request a new login; undefined if the provider cannot show that one took place */
export function newLoginAt(metadata: Metadata): Record<string, string> | undefined {
  if (knowsLoginPrompt(metadata)) return { prompt: 'login', ...(reportsTimes(metadata) ? { max_age: '0' } : {}) };
  return metadata.claims_supported?.includes('auth_time') ? { max_age: '0' } : undefined;
}

/** A provider that reports no times is asked for a new login all the same. @throws ProviderProblem */
function assertLoginSince(since: number, time: unknown, isReported: boolean): void {
  if (time === undefined && !isReported) return;
  if (typeof time === 'number' && time >= since - clockTolerance) return;
  throw new ProviderProblem('not-fresh', 'the claim auth_time is missing, or of an earlier login');
}

/**
 * Milliseconds. `timeoutMs`: of each call to the provider. `checkMs`: of a call that only checks whether it answers.
 * `answersForMs`: after an answer of the provider in which browsers are led to it without another check.
 */
const usualTimes = { timeoutMs: 5000, checkMs: 3000, answersForMs: 5000 };

export function createProviderClient(settings: ProviderSettings, times: Partial<typeof usualTimes> = {}) {
  const limits = { ...usualTimes, ...times };
  const { configured, answering, noteAnswer } = createDiscovery(settings, limits);

  /** @returns the address at the provider @throws ProviderProblem */
  async function loginUrl({ state, nonce, verifier, since }: Checks): Promise<string> {
    const configuration = await answering();
    const again = since === undefined ? {} : newLoginAt(configuration.serverMetadata());
    if (!again) throw new ProviderProblem('not-fresh', 'the provider cannot show a new login');
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: `${settings.origin}${callbackPath}`,
      scope: settings.oidcScopes,
      ...{ state, nonce, ...again },
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** Whether the provider can show that a new login took place. True while it does not answer, as it may then. */
  async function showsNewLogins(): Promise<boolean> {
    const configuration = await configured().catch(() => undefined);
    return configuration === undefined || newLoginAt(configuration.serverMetadata()) !== undefined;
  }

  /** @param search the query with which the provider sent the browser back @throws ProviderProblem */
  async function identify(search: string, { state, nonce, verifier, since }: Checks): Promise<Identified> {
    const configuration = await configured();
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    try {
      const url = new URL(`${settings.origin}${callbackPath}${search}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(configuration, url, checks);
      noteAnswer();
      const own = tokens.claims();
      if (!own) throw new ProviderProblem('refused', 'the answer has no ID token');
      if (since !== undefined) assertLoginSince(since, own.auth_time, reportsTimes(configuration.serverMetadata()));
      const isWhole = wantedClaims(settings).every((name) => name in own);
      const hasMore = !isWhole && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, own.sub) : {};
      const { iss: issuer, sub: subject, sid } = own;
      const claims = { ...more, ...own };
      return { issuer, subject, sid: typeof sid === 'string' ? sid : null, idToken: tokens.id_token ?? null, claims };
    } catch (error) {
      throw providerProblem(error);
    }
  }

  /** @returns the address that ends the session at the provider; null if it has none, or is not known */
  async function logoutUrl(idToken: string | null): Promise<string | null> {
    const configuration = await answering();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const { buildEndSessionUrl } = await library();
    const url = buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${settings.origin}/login?local`,
      ...(idToken === null ? {} : { id_token_hint: idToken }),
    });
    return url.href;
  }

  /** For logout tokens, which no call asked for. @throws ProviderProblem */
  async function signer(): Promise<{ issuer: string; jwksUri: string; timeoutMs: number }> {
    const { issuer, jwks_uri: jwksUri = '' } = (await configured()).serverMetadata();
    const isSafe = jwksUri.startsWith('https:') || new URL(settings.issuer).protocol === 'http:';
    if (!isSafe) throw new ProviderProblem('refused', 'the keys of the provider have no https address');
    return { issuer, jwksUri, timeoutMs: limits.timeoutMs };
  }

  return { loginUrl, showsNewLogins, identify, logoutUrl, signer };
}

export type ProviderParts = { settings: ProviderSettings; provider: ProviderClient };

/** @returns undefined if this server has no provider */
export function createProviderParts(config: Config): ProviderParts | undefined {
  const settings = providerSettings(config);
  return settings && { settings, provider: createProviderClient(settings) };
}
