/** HTTP calls by fetch: JSON bodies, a timeout, and retries of GET. */

const TIMEOUT_MS = 30_000;

/** Answers of a proxy or of a busy server, after which a GET is tried again. */
const RETRIED: readonly number[] = [408, 502, 503, 504];
const RETRIES = 2;
const FIRST_PAUSE_MS = 300;

/** A longer Retry-After is left to the user. */
const LONGEST_PAUSE_MS = 10_000;

export interface HttpOptions {
  readonly method?: 'get' | 'post' | 'patch' | 'delete';
  readonly json?: unknown;
  readonly searchParams?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** ms until the answer begins, retries included */
  readonly timeout?: number;
  /** How often a GET is tried again. */
  readonly retry?: number;
  readonly keepalive?: boolean;
}

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

function requestOf(url: string, options: HttpOptions, signal: AbortSignal): Request {
  const { method = 'get', json, searchParams = {}, headers, keepalive = false } = options;
  const parameters = Object.entries(searchParams).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(parameters).toString();
  return new Request(query === '' ? url : `${url}?${query}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    credentials: 'include',
    keepalive,
    signal,
  });
}

/** @returns ms until the next try; undefined if there is none */
function pauseAfter(response: Response | undefined, tries: number): number | undefined {
  if (response && !RETRIED.includes(response.status)) return undefined;
  const wanted = Number(response?.headers.get('Retry-After') ?? 0) * 1000;
  const pause = wanted > 0 ? wanted : FIRST_PAUSE_MS * 2 ** tries;
  return pause > LONGEST_PAUSE_MS ? undefined : pause;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * @param fetch sends one request
 * @returns the answer, whatever its status
 * @throws TimeoutError; TypeError if no answer came; the signal's reason
 */
export async function send(
  url: string,
  options: HttpOptions,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { method = 'get', signal, timeout = TIMEOUT_MS, retry = RETRIES } = options;
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => stop.abort(new TimeoutError()), timeout);
  try {
    for (let tries = 0; ; tries += 1) {
      const isLast = method !== 'get' || tries >= retry;
      const response = await fetch(requestOf(url, options, stop.signal)).catch((error): undefined => {
        if (isLast || stop.signal.aborted || !(error instanceof TypeError)) throw error;
        return undefined;
      });
      const pause = isLast || response?.ok ? undefined : pauseAfter(response, tries);
      if (response && pause === undefined) return response;
      await wait(pause ?? FIRST_PAUSE_MS, stop.signal);
    }
  } finally {
    clearTimeout(timer);
  }
}
