/** A pool of decoders, whose pictures are counted: those that wait, those at work, those whose decoder was ended. */
import { CRASHED, TOO_LITTLE_MEMORY, TOO_LONG, TOO_MUCH_MEMORY } from '../decoder/core/failure.ts';
import type { DecoderPool } from '../decoder/pool/pool.ts';
import type { Instrument } from './spans.ts';

/** `shortage`: the machine had no more memory; the picture itself did not need too much. */
export type Reason = 'time' | 'memory' | 'shortage' | 'crash';

export type DecoderMeter = { waiting: number; running: number; onKilled: (reason: Reason) => void };

type Start = (path: string) => void;
type Parts = { instrument: Instrument | undefined; meter: DecoderMeter | undefined };

const reasons: Record<string, Reason> = {
  [TOO_LONG]: 'time',
  [TOO_MUCH_MEMORY]: 'memory',
  [TOO_LITTLE_MEMORY]: 'shortage',
  [CRASHED]: 'crash',
};

/** @param make the pool, which calls what it is given when it takes up a picture */
export function watchDecoder(make: (onStart: Start) => DecoderPool, { instrument, meter }: Parts): DecoderPool {
  const running = new Map<string, number>();

  function start(path: string): void {
    if (!meter) return;
    running.set(path, (running.get(path) ?? 0) + 1);
    meter.waiting -= 1;
    meter.running += 1;
  }

  function end(path: string): void {
    if (!meter) return;
    const count = running.get(path) ?? 0;
    if (count === 0) {
      meter.waiting -= 1;
      return;
    }
    meter.running -= 1;
    if (count > 1) running.set(path, count - 1);
    else running.delete(path);
  }

  const pool = make(start);
  if (!instrument && !meter) return pool;

  async function decode(...[path, options]: Parameters<DecoderPool['decode']>) {
    if (meter) meter.waiting += 1;
    try {
      const outcome = await pool.decode(path, options);
      const reason = outcome.ok ? undefined : reasons[outcome.failure.detail];
      if (reason) meter?.onKilled(reason);
      return outcome;
    } finally {
      end(path);
    }
  }

  return {
    ...pool,
    decode: (...words) =>
      instrument ? instrument({ kind: 'ingest', stage: 'decode' }, () => decode(...words)) : decode(...words),
  };
}
