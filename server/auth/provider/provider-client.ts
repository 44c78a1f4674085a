/** Calls the provider: discovery, the code flow with PKCE, its keys, its logout. Nothing is called before a login needs it. */
import type { Configuration } from 'openid-client';
import { type Claims, wantedClaims } from './claims.ts';
import { ProviderProblem, providerProblem } from './problem.ts';
import { callbackPath, type ProviderSettings } from './provider-settings.ts';

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
export type ProviderParts = { settings: ProviderSettings; provider: ProviderClient };

/** Characters of an ID token that is kept for the logout there. A longer one would not fit into an address. */
export const longestHint = 4096;

/** Milliseconds after which the settings of the provider are read again. */
const freshFor = 3_600_000;
/** Milliseconds that a check may take whether the provider answers. */
const longestCheck = 3000;
/** Seconds by which the clocks here and at the provider may differ. */
const clockTolerance = 60;

/** The library loads with the first login. */
const library = () => import('openid-client');
type Library = Awaited<ReturnType<typeof library>>;

/** Basic is what a provider supports that names no method (OpenID Connect Discovery, 3). */
function authenticationFor({ ClientSecretBasic, ClientSecretPost, None }: Library, secret: string | undefined) {
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (...call: Parameters<typeof basic>) => {
    const methods = call[0].token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(...call) : post(...call);
  };
}

/** Every provider must report the time of a login (OpenID Connect Core, 15.1), but some list their claims without it. */
const reportsTimes = (configuration: Configuration) =>
  configuration.serverMetadata().claims_supported?.includes('auth_time') ?? true;

/** A provider that reports no times is asked for a new login all the same. @throws ProviderProblem */
function assertLoginSince(since: number, time: unknown, isReported: boolean): void {
  if (time === undefined && !isReported) return;
  if (typeof time === 'number' && time >= since - clockTolerance) return;
  throw new ProviderProblem('not-fresh', 'the claim auth_time is missing, or of an earlier login');
}

const isSlow = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT';

/**
 * @param timeoutMs of each call to the provider
 * @param answersForMs after an answer of the provider in which browsers are led to it without another check
 */
export function createProviderClient(settings: ProviderSettings, { timeoutMs = 5000, answersForMs = 5000 } = {}) {
  let known: { configuration: Configuration; until: number } | undefined;
  let running: Promise<Configuration> | undefined;
  /** When the provider answered last. */
  let answeredAt = Number.NEGATIVE_INFINITY;

  async function load(withinMs: number): Promise<Configuration> {
    const openid = await library();
    const { discovery, enableNonRepudiationChecks, allowInsecureRequests } = openid;
    const issuer = new URL(settings.issuer);
    const { clientId, clientSecret } = settings;
    // The signature of the ID token is checked, though it comes by TLS. Plain http is accepted for this machine only (config).
    const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])];
    const options = { timeout: withinMs / 1000, execute };
    const authentication = authenticationFor(openid, clientSecret);
    const discover = () => discovery(issuer, clientId, undefined, authentication, options);
    // A kept connection may have ended. A provider that is too slow is not asked twice.
    const configuration = await discover().catch((error) => (isSlow(error) ? Promise.reject(error) : discover()));
    answeredAt = Date.now();
    known = { configuration, until: answeredAt + freshFor };
    return configuration;
  }

  /** One call at a time. @throws ProviderProblem */
  async function discovered(withinMs = timeoutMs): Promise<Configuration> {
    running ??= load(withinMs).finally(() => {
      running = undefined;
    });
    try {
      return await running;
    } catch (error) {
      throw new ProviderProblem('unavailable', `discovery: ${providerProblem(error).message}`);
    }
  }

  /** While the provider is down, what is known of it stays in use. @throws ProviderProblem */
  async function configured(): Promise<Configuration> {
    if (known && Date.now() < known.until) return known.configuration;
    return discovered().catch((error) => known?.configuration ?? Promise.reject(error));
  }

  /** Before a browser is led to the provider: it would show an error of its own if the provider is down. @throws ProviderProblem */
  async function answering(): Promise<Configuration> {
    if (!known) return discovered();
    return Date.now() < answeredAt + answersForMs ? known.configuration : discovered(Math.min(timeoutMs, longestCheck));
  }

  /** @returns the address at the provider @throws ProviderProblem */
  async function loginUrl({ state, nonce, verifier, since }: Checks): Promise<string> {
    const configuration = await answering();
    const again =
      since === undefined ? {} : { prompt: 'login', ...(reportsTimes(configuration) ? { max_age: '0' } : {}) };
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

  /** @param search the query with which the provider sent the browser back @throws ProviderProblem */
  async function identify(search: string, { state, nonce, verifier, since }: Checks): Promise<Identified> {
    const configuration = await configured();
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    try {
      const url = new URL(`${settings.origin}${callbackPath}${search}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(configuration, url, checks);
      answeredAt = Date.now();
      const own = tokens.claims();
      if (!own) throw new ProviderProblem('refused', 'the answer has no ID token');
      if (since !== undefined) assertLoginSince(since, own.auth_time, reportsTimes(configuration));
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
    return { issuer, jwksUri, timeoutMs };
  }

  return { loginUrl, identify, logoutUrl, signer };
}
