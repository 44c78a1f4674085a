import { parseApiError, timedOut, unreachable } from './api-error.ts';
import { takeEarly } from './early-list.ts';
import { type HttpOptions, send, TimeoutError } from './http.ts';

interface ApiHooks {
  /** The stored access token, if any. */
  token(): string | null;
  /** Called when a call with `token` was answered with 401. */
  onRefusedToken(token: string): void;
  /** Called when the account must set up a second factor first. */
  onFactorRequired(): void;
}

let hooks: ApiHooks = { token: () => null, onRefusedToken() {}, onFactorRequired() {} };

/** Connects the session: this layer shows no toasts and changes no pages. */
export function configureApi(next: ApiHooks) {
  hooks = next;
}

const base = (import.meta.env.VITE_API_URL || '/api').replace(/\/+$/, '');

/** The URL of a call that cannot use `request`, such as an upload with progress. */
export function apiUrl(path: string): string {
  return `${base}/${path}`;
}

export function authorization(token = hooks.token()): Record<string, string> {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Reports the status of a call that did not use `request`. `token`: the one it was sent with. */
export function reportStatus(status: number, token: string | null) {
  if (status === 401 && token) hooks.onRefusedToken(token);
}

export function storedToken(): string | null {
  return hooks.token();
}

const fetchOnce = (request: Request): Promise<Response> => takeEarly(request, window) ?? window.fetch(request);

interface CallOptions extends HttpOptions {
  /** The token to send instead of the stored one. */
  token?: string | null;
  /** A 401 does not end the session: for logins, and for calls that the user did not start. */
  keepsSession?: boolean;
}

/** Sends one call and reads its answer. */
async function call<T>(path: string, options: CallOptions, read: (response: Response) => Promise<T>): Promise<T> {
  const { token = hooks.token(), keepsSession = false, headers, ...rest } = options;
  try {
    const response = await send(apiUrl(path), { ...rest, headers: { ...headers, ...authorization(token) } }, fetchOnce);
    if (response.ok) return await read(response);
    const { status } = response;
    if (!keepsSession) reportStatus(status, token);
    const error = parseApiError(status, await response.text().catch(() => ''), response.headers.get('Retry-After'));
    if (error.code === 'SECOND_FACTOR_REQUIRED') hooks.onFactorRequired();
    throw error;
  } catch (error) {
    if (error instanceof TimeoutError) throw timedOut(error);
    // A SyntaxError: the answer is not JSON, and comes from a captive portal or a proxy, not from the server.
    if (error instanceof TypeError || error instanceof SyntaxError) throw unreachable(error);
    throw error;
  }
}

/**
 * Sends one call. `path` is relative to the base path, without a leading slash.
 * @returns the answer's JSON, undefined for 204
 * @throws ApiError; AbortError if aborted
 */
export function request<T>(path: string, options: CallOptions = {}): Promise<T> {
  return call(path, options, async (response) => (response.status === 204 ? undefined : await response.json()) as T);
}

/** Sends one call whose answer is a file. @throws ApiError; AbortError if aborted */
export function requestBytes(path: string, options: CallOptions = {}): Promise<Blob> {
  return call(path, options, (response) => response.blob());
}
