/** Why a login by the provider failed: a code, for which the page has a sentence, and a reason for the log. */
import type { UserRow } from '../../../drizzle/schema.ts';

export type ProblemCode =
  /** The provider does not answer, or answers with an error. */
  | 'unavailable'
  /** What the provider publishes does not match the settings here, for example its issuer. */
  | 'settings'
  /** The person cancelled at the provider, or may not use this client there. */
  | 'denied'
  /** Too late, used already, or started in another browser. */
  | 'expired'
  /** The answer is forged, or the settings here and at the provider differ. */
  | 'refused'
  /** OIDC_REGISTRATION is off. */
  | 'unknown'
  | 'no-email'
  | 'email-unverified'
  | 'email-taken'
  /** For a link: another account has this identity. */
  | 'linked-elsewhere'
  /** For a link or a confirmation: the session that started it has ended. */
  | 'session-ended'
  /** For a confirmation: the identity is not linked to the account. */
  | 'other-identity'
  /** For a confirmation: the provider did not ask for a login. */
  | 'not-fresh'
  /** For a confirmation: the account has a password by now. */
  | 'password-needed'
  /** For a registration by a link: the invitation or the claim cannot be used any more, or is for another email. */
  | 'invite-ended'
  | 'invite-for-other'
  | 'claim-ended'
  | 'disabled'
  | 'pending';

export class ProviderProblem extends Error {
  readonly problem: ProblemCode;
  /** The account, if the person has proved to be its owner. */
  readonly user: UserRow | undefined;
  /** As the provider sent it, if there is no account. */
  readonly email: string | undefined;

  /** @param reason for the log; contains no token and no secret */
  constructor(problem: ProblemCode, reason: string, { user, email }: { user?: UserRow; email?: string } = {}) {
    super(reason);
    this.problem = problem;
    this.user = user;
    this.email = email;
  }
}

type Failure = {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  error?: unknown;
  error_description?: unknown;
  cause?: unknown;
};

/** One line, without characters that a terminal acts on. */
const quoted = (value: unknown) => `"${String(value).replace(/\p{C}/gu, ' ').slice(0, 200)}"`;

/**
 * The two values that should be the same: of the issuer or the audience, in the published settings or in an ID token. Neither is a
 * secret.
 */
function comparison(cause: unknown): string | undefined {
  const { expected, attribute, body, claim, claims } = (cause ?? {}) as Record<string, unknown>;
  const name = String(attribute ?? claim);
  const found = ((attribute === undefined ? claims : body) as Record<string, unknown> | null | undefined)?.[name];
  if (!['issuer', 'iss', 'aud'].includes(name) || found === undefined) return undefined;
  return `(here: ${quoted(expected)}, at the provider: ${quoted(found)})`;
}

/** Names, codes, messages and descriptions of an error and its causes, and nothing else: a cause may contain tokens of the answer. */
function reasonOf(failure: Failure): string {
  const { name, code, message, error, error_description: description, cause } = failure;
  const said = description === undefined ? undefined : quoted(description);
  const parts = [name, code, error, message, said, comparison(cause)];
  const own = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  return (cause instanceof Error ? `${own}: ${reasonOf(cause)}` : own).slice(0, 900);
}

/** What the provider itself reports when it is not able to answer (RFC 6749, 4.1.2.1). */
const itsFailures = new Set(['server_error', 'temporarily_unavailable']);
const itsRefusals = new Set(['access_denied', 'login_required', 'consent_required', 'interaction_required']);
const unreachable = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

function problemOf(failure: Failure): ProblemCode {
  const { name, code, error } = failure;
  if (name === 'AuthorizationResponseError') {
    if (itsRefusals.has(String(error))) return 'denied';
    return itsFailures.has(String(error)) ? 'unavailable' : 'refused';
  }
  // `fetch` reports a failed connection as a TypeError.
  const isUnreachable = unreachable.has(String(code)) || (name === 'TypeError' && failure.message === 'fetch failed');
  return isUnreachable ? 'unavailable' : 'refused';
}

/** @param error as openid-client throws it */
export function providerProblem(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const failure: Failure = error instanceof Error ? error : { message: String(error) };
  return new ProviderProblem(problemOf(failure), reasonOf(failure));
}
