/** Idle gate: lets background work run only while no client waits for the decoder. */
import type { DecodeListener } from '../decoder/decoder.ts';

export type IdleGate = {
  /** Closes the gate while the decoder has pictures and for `rest` afterwards. */
  listener: DecodeListener;
  /** Resolves when the server is idle. The signal is aborted when it becomes busy. */
  whenIdle(): Promise<AbortSignal>;
  /** Resolves all waiting calls with an aborted signal. */
  close(): void;
};

/** @param rest milliseconds without pictures before the server is idle, because a page uploads in several requests */
export function createIdleGate(rest: number): IdleGate {
  let busy = 0;
  let isClosed = false;
  let idle = new AbortController();
  // Busy after a start: waiting clients come first.
  let timer: NodeJS.Timeout | undefined = setTimeout(settle, rest).unref();
  const waiting: ((signal: AbortSignal) => void)[] = [];

  function settle(): void {
    timer = undefined;
    for (const resolve of waiting.splice(0)) resolve(idle.signal);
  }

  function enter(): void {
    busy += 1;
    clearTimeout(timer);
    timer = undefined;
    if (!idle.signal.aborted) idle.abort(new Error('somebody waits for a picture'));
  }

  function leave(): void {
    busy -= 1;
    if (busy > 0 || isClosed) return;
    idle = new AbortController();
    timer = setTimeout(settle, rest).unref();
  }

  return {
    listener: { onQueued: enter, onEnded: leave },
    whenIdle: () =>
      new Promise((resolve) => {
        if (isClosed || (busy === 0 && timer === undefined)) resolve(idle.signal);
        else waiting.push(resolve);
      }),
    close() {
      isClosed = true;
      clearTimeout(timer);
      idle.abort(new Error('the server stops'));
      settle();
    },
  };
}
