import type { ErrorAnswer } from '../../server/contract.ts';
import { texts } from '../text/api.ts';

/** A call that did not succeed. `status` 0 and code `UNREACHABLE` or `TIMEOUT`: no answer came at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

/** No answer came: the sentence for it is ours, since the server gave none. */
export const unreachable = (cause?: unknown): ApiError => new ApiError(0, 'UNREACHABLE', texts.unreachable, { cause });
export const timedOut = (cause?: unknown): ApiError => new ApiError(0, 'TIMEOUT', texts.timeout, { cause });

function isErrorAnswer(value: unknown): value is ErrorAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Partial<ErrorAnswer>;
  return typeof code === 'string' && typeof message === 'string';
}

/** From an answer's status and its body as text; a body that is not the server's JSON (a proxy's page) gives no message. */
export function parseApiError(status: number, body: string): ApiError {
  try {
    const value: unknown = JSON.parse(body);
    if (isErrorAnswer(value)) return new ApiError(status, value.code, value.message);
  } catch {
    // Not JSON: falls through to the bare status.
  }
  return new ApiError(status, `HTTP_${status}`, '');
}

/** The reason, for a toast's second line: the server's, or that none was heard; undefined where nothing is known. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.message ? error.message : undefined;
}
