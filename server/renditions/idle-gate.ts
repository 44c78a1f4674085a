/** Whether anybody waits for a picture to be decoded, or has waited just now. */
import type { DecoderPool } from '../decoder/pool/pool.ts';

export type IdleGate = {
  /** The same decoder; while it decodes, and for a while afterwards, it is not quiet. */
  watch(decoder: DecoderPool): DecoderPool;
  /** Resolves when it is quiet, at once where it is. The signal it is given is aborted as soon as it is quiet no more. */
  next(): Promise<AbortSignal>;
  /** Ends the quiet for good: whoever waits is given an aborted signal. */
  close(): void;
};

/** @param rest milliseconds without a picture after which it is quiet: a page sends its files in several requests */
export function createIdleGate(rest: number): IdleGate {
  let busy = 0;
  let isClosed = false;
  let noise = new AbortController();
  // A start is not quiet either: those who wait for it come first.
  let timer: NodeJS.Timeout | undefined = setTimeout(settle, rest).unref();
  const waiting: ((signal: AbortSignal) => void)[] = [];

  function settle(): void {
    timer = undefined;
    for (const resolve of waiting.splice(0)) resolve(noise.signal);
  }

  function enter(): void {
    busy += 1;
    clearTimeout(timer);
    timer = undefined;
    if (!noise.signal.aborted) noise.abort(new Error('somebody waits for a picture'));
  }

  function leave(): void {
    busy -= 1;
    if (busy > 0 || isClosed) return;
    noise = new AbortController();
    timer = setTimeout(settle, rest).unref();
  }

  return {
    watch: (decoder) => ({
      ...decoder,
      async decode(path, options) {
        enter();
        try {
          return await decoder.decode(path, options);
        } finally {
          leave();
        }
      },
    }),
    next: () =>
      new Promise((resolve) => {
        if (isClosed || (busy === 0 && timer === undefined)) resolve(noise.signal);
        else waiting.push(resolve);
      }),
    close() {
      isClosed = true;
      clearTimeout(timer);
      noise.abort(new Error('the server stops'));
      settle();
    },
  };
}
