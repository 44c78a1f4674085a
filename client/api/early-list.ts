/** A call that boot.js has made before any of this had arrived. */
export interface EarlyCall {
  readonly url: string;
  /** The header it was sent with: whose list it is. */
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
 * The answer under way to exactly this request: the same address, asked for in the same session. Good for the page's
 * first call alone, whatever that is: what it does not take over is broken off, and never seen.
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
