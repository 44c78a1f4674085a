import ky, { HTTPError, type Options, TimeoutError } from 'ky';
import { parseApiError, timedOut, unreachable } from './api-error.ts';
import { takeEarly } from './early-list.ts';

interface ApiHooks {
  /** The stored access token, if any. */
  token(): string | null;
  /** Called when a call with `token` was answered with 401. */
  onRefusedToken(token: string): void;
}

let hooks: ApiHooks = { token: () => null, onRefusedToken: () => {} };

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

const http = ky.create({
  prefixUrl: base,
  credentials: 'include',
  timeout: 30_000,
  retry: { limit: 2, methods: ['get'], statusCodes: [408, 502, 503, 504] },
  fetch: (input, init) =>
    (input instanceof Request ? takeEarly(input, window) : undefined) ?? window.fetch(input, init),
});

interface CallOptions extends Omit<Options, 'headers'> {
  headers?: Record<string, string>;
  /** The token to send instead of the stored one. */
  token?: string | null;
  /** A 401 does not end the session: for logins, and for calls that the user did not start. */
  keepsSession?: boolean;
}

/** Sends one call and reads its answer. */
async function call<T>(path: string, options: CallOptions, read: (response: Response) => Promise<T>): Promise<T> {
  const { token = hooks.token(), keepsSession = false, headers, ...rest } = options;
  try {
    return await read(await http(path, { ...rest, headers: { ...headers, ...authorization(token) } }));
  } catch (error) {
    if (error instanceof HTTPError) {
      if (!keepsSession) reportStatus(error.response.status, token);
      const { status, headers } = error.response;
      throw parseApiError(status, await error.response.text().catch(() => ''), headers.get('Retry-After'));
    }
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

/** Sends one call whose answer is a file. @throws ApiError */
export function requestBytes(path: string): Promise<Blob> {
  return call(path, {}, (response) => response.blob());
}
