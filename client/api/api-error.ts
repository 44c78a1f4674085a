import type { ErrorAnswer } from '../../server/contract.ts';
import { refusalText, api as texts } from '../text/words.ts';

/** A failed call. With `status` 0, and code `UNREACHABLE` or `TIMEOUT`, no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Seconds after which the server requests a retry. */
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

/** No answer came, so the message is the client's own. */
export const unreachable = (cause?: unknown): ApiError => new ApiError(0, 'UNREACHABLE', texts.unreachable, { cause });
export const timedOut = (cause?: unknown): ApiError => new ApiError(0, 'TIMEOUT', texts.timeout, { cause });

/** Whether the connection, a proxy or the server is down: a retry may succeed later. */
export const isAway = ({ status = -1, code }: Partial<ApiError>): boolean =>
  [0, 502, 504].includes(status) || (status === 503 && code !== 'SERVER_BUSY');

function isErrorAnswer(value: unknown): value is ErrorAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Partial<ErrorAnswer>;
  return typeof code === 'string' && typeof message === 'string';
}

/** Seconds of a Retry-After header; undefined for none and for a date, which our server never sends. */
function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
}

/**
 * Parses an error answer. A body that is not the server's JSON, such as a proxy's page, gives no message.
 * @param wait the Retry-After header
 */
export function parseApiError(status: number, body: string, wait: string | null = null): ApiError {
  const retryAfter = readSeconds(wait);
  try {
    const value: unknown = JSON.parse(body);
    if (isErrorAnswer(value)) {
      const message = refusalText({ code: value.code, message: value.message, retryAfter });
      return new ApiError(status, value.code, message, { retryAfter, cause: value });
    }
  } catch {
    // Not JSON: only the status is known.
  }
  return new ApiError(status, `HTTP_${status}`, '', { retryAfter });
}

/** The message for a toast's second line, if there is one. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.message ? error.message : undefined;
}
