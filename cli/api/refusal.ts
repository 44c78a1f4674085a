import type { ErrorAnswer } from '../../server/contract.ts';
import type { Answer } from './http.ts';

/** The server refused a call. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Retries have run out, or cannot help. */
export class Unreachable extends Error {
  constructor(address: string, cause: Error) {
    super(`Couldn't reach ${address}: ${cause.message}.`, { cause });
  }
}

/** Whether every further call would fail in the same way. */
export const isFinal = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof Refused && (error.status === 401 || ['SCOPE_NEEDED', 'SESSION_NEEDED'].includes(error.code)));

function errorIn(body: string): Partial<ErrorAnswer> {
  try {
    return (JSON.parse(body) ?? {}) as Partial<ErrorAnswer>;
  } catch {
    return {};
  }
}

export function refusalOf({ status, headers, body }: Answer): Refused {
  const { code = `HTTP_${status}`, message } = errorIn(body);
  if (status === 401)
    return new Refused(
      status,
      code,
      'The server does not accept this token. Create one in its settings, then run "gallery login".',
    );
  const { location } = headers;
  if (status < 400 && location)
    return new Refused(status, code, `The server redirects to ${location}. Log in with that address.`);
  return new Refused(status, code, message ?? `The server answered with status ${status}.`);
}
