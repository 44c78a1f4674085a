/** The call that boot.js makes before this code has loaded. */
export interface EarlyCall {
  readonly url: string;
  /** The header it was sent with, which identifies the session. */
  readonly authorization: string;
  readonly answer: Promise<Response>;
  readonly stop: AbortController;
}

export interface EarlyPlace {
  earlyList?: EarlyCall | undefined;
}

declare global {
  interface Window extends EarlyPlace {}
}

/**
 * Returns the early answer if the request has the same URL and session. Only the page's first call may use it; if that call
 * differs, the early one is aborted and discarded.
 */
export function takeEarly(request: Request, place: EarlyPlace): Promise<Response> | undefined {
  const early = place.earlyList;
  place.earlyList = undefined;
  if (early === undefined) return undefined;
  const same = early.url === request.url && early.authorization === request.headers.get('authorization');
  if (!same || request.method !== 'GET' || request.signal.aborted) {
    early.stop.abort();
    return undefined;
  }
  request.signal.addEventListener('abort', () => early.stop.abort(), { once: true });
  return early.answer;
}
