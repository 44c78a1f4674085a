/** The call that boot.js makes before this code has loaded. */
export interface EarlyCall {
  readonly url: string;
  /** The header it was sent with, which identifies the session. */
  readonly authorization: string;
  readonly answer: Promise<Response>;
  readonly stop: AbortController;
  /** ms on the clock of `performance` */
  readonly sentAt: number;
}

/** An older answer is not shown: pictures may have been uploaded since. ms */
const MAX_AGE_MS = 30_000;

export interface EarlyPlace {
  earlyList?: EarlyCall | undefined;
}

declare global {
  interface Window extends EarlyPlace {}
}

/** Whether a call is one for a list of images, or may change it. */
function concernsList(request: Request, early: EarlyCall): boolean {
  return request.method !== 'GET' || new URL(request.url).pathname === new URL(early.url).pathname;
}

/**
 * Returns the early answer if the request has the same URL and session. Only the page's first call for a list may use it; if
 * that call differs, or another call changes something first, the early one is aborted and discarded.
 */
export function takeEarly(request: Request, place: EarlyPlace, now = performance.now()): Promise<Response> | undefined {
  const early = place.earlyList;
  if (early === undefined || !concernsList(request, early)) return undefined;
  place.earlyList = undefined;
  const isSame = early.url === request.url && early.authorization === request.headers.get('authorization');
  if (!isSame || request.method !== 'GET' || request.signal.aborted || now - early.sentAt > MAX_AGE_MS) {
    early.stop.abort();
    return undefined;
  }
  request.signal.addEventListener('abort', () => early.stop.abort(), { once: true });
  return early.answer;
}
