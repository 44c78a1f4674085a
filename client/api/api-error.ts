import type { ErrorAnswer } from '../../server/contract.ts';
import { texts } from '../text/api.ts';

/** A call that did not succeed. `status` 0 and code `UNREACHABLE` or `TIMEOUT`: no answer came at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Seconds after which the server asks to try again. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options?: ErrorOptions & { retryAfter?: number | undefined },
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.retryAfter = options?.retryAfter;
  }
}

/** No answer came: the sentence for it is ours, since the server gave none. */
export const unreachable = (cause?: unknown): ApiError => new ApiError(0, 'UNREACHABLE', texts.unreachable, { cause });
export const timedOut = (cause?: unknown): ApiError => new ApiError(0, 'TIMEOUT', texts.timeout, { cause });

/** No connection, or a server or a proxy that is not there just now: the same may succeed later. */
export const isAway = ({ status = -1, code }: Partial<ApiError>): boolean =>
  [0, 502, 504].includes(status) || (status === 503 && code !== 'SERVER_BUSY');

function isErrorAnswer(value: unknown): value is ErrorAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Partial<ErrorAnswer>;
  return typeof code === 'string' && typeof message === 'string';
}

/** Seconds of a Retry-After header; undefined for none, and for a date, which our server never sends. */
function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
}

/**
 * From an answer's status and its body as text; a body that is not the server's JSON (a proxy's page) gives no message.
 * @param wait the answer's Retry-After
 */
export function parseApiError(status: number, body: string, wait: string | null = null): ApiError {
  const retryAfter = readSeconds(wait);
  try {
    const value: unknown = JSON.parse(body);
    if (isErrorAnswer(value)) {
      const message = texts.refusal({ code: value.code, message: value.message, retryAfter });
      return new ApiError(status, value.code, message, { retryAfter });
    }
  } catch {
    // Not JSON: falls through to the bare status.
  }
  return new ApiError(status, `HTTP_${status}`, '', { retryAfter });
}

/** The reason, for a toast's second line: the server's, or that none was heard; undefined where nothing is known. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.message ? error.message : undefined;
}
