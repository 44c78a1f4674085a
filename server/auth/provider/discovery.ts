/** Reads the settings that the provider publishes, and whether it answers. */
import type { Configuration } from 'openid-client';
import { ProviderProblem, providerProblem } from './problem.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Milliseconds after which the settings of the provider are replaced. */
const freshFor = 3_600_000;

/** The library loads with the first login. */
export const library = () => import('openid-client');
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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
const isSlow = (error: unknown) => codeOf(error) === 'OAUTH_TIMEOUT';

/** Whether the provider answered 404. */
function isMissing(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  const answer = cause instanceof Error ? cause.cause : cause;
  return answer instanceof Response && answer.status === 404;
}

/** Milliseconds. `checkMs`: that a check may take whether the provider answers. */
type Times = { timeoutMs: number; answersForMs: number; checkMs: number };

export function createDiscovery(settings: ProviderSettings, { timeoutMs, answersForMs, checkMs }: Times) {
  let known: { configuration: Configuration; until: number } | undefined;
  let running: Promise<Configuration> | undefined;
  /** When the provider answered last. */
  let answeredAt = Number.NEGATIVE_INFINITY;

  const fresh = () => (known && Date.now() < known.until ? known.configuration : undefined);

  async function load(withinMs: number): Promise<Configuration> {
    const openid = await library();
    const { discovery, enableNonRepudiationChecks, allowInsecureRequests } = openid;
    const issuer = new URL(settings.issuer);
    const { clientId, clientSecret } = settings;
    // The signature of the ID token is checked, though it comes by TLS. Plain http is accepted for this machine only (config).
    const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])];
    const authentication = authenticationFor(openid, clientSecret);
    const discover = () =>
      discovery(issuer, clientId, undefined, authentication, { timeout: withinMs / 1000, execute });
    // A kept connection may have ended. A provider that is too slow is not asked twice.
    const read = await discover().catch((error) => (isSlow(error) ? Promise.reject(error) : discover()));
    read.timeout = timeoutMs / 1000;
    answeredAt = Date.now();
    // The former one has the provider's keys already.
    const configuration = fresh() ?? read;
    if (configuration === read) known = { configuration, until: answeredAt + freshFor };
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
      // The settings of the provider arrived, but are those of another issuer, or there are none at this address.
      const isAnswer = codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' || isMissing(error);
      const reason = `discovery: ${providerProblem(error).message}`;
      throw new ProviderProblem(isAnswer ? 'settings' : 'unavailable', reason);
    }
  }

  return {
    /** While the provider is down, what is known of it stays in use. @throws ProviderProblem */
    async configured(): Promise<Configuration> {
      return fresh() ?? discovered().catch((error) => known?.configuration ?? Promise.reject(error));
    },

    /** Before a browser is led to the provider: it shows only its error page if the provider is down. @throws ProviderProblem */
    async answering(): Promise<Configuration> {
      if (!known) return discovered();
      const hasJustAnswered = Date.now() < answeredAt + answersForMs;
      return hasJustAnswered ? known.configuration : discovered(Math.min(timeoutMs, checkMs));
    },

    /** The provider has answered another call. */
    noteAnswer(): void {
      answeredAt = Date.now();
    },
  };
}
