/** Counts the pictures of a decoder for /metrics: waiting, running, and killed. */
import { CRASHED, TOO_LITTLE_MEMORY, TOO_LONG, TOO_MUCH_MEMORY } from '../decoder/core/failure.ts';
import type { DecodeListener } from '../decoder/decoder.ts';

/** `shortage`: the machine ran out of memory, although the picture was within its limit. */
type Reason = 'time' | 'memory' | 'shortage' | 'crash';

export type DecoderMeter = { waiting: number; running: number; onKilled: (reason: Reason) => void };

const reasons: Record<string, Reason> = {
  [TOO_LONG]: 'time',
  [TOO_MUCH_MEMORY]: 'memory',
  [TOO_LITTLE_MEMORY]: 'shortage',
  [CRASHED]: 'crash',
};

export const decodeListener = (meter: DecoderMeter): DecodeListener => ({
  onQueued() {
    meter.waiting += 1;
  },
  onStarted() {
    meter.waiting -= 1;
    meter.running += 1;
  },
  onEnded(started, outcome) {
    if (started) meter.running -= 1;
    else meter.waiting -= 1;
    const reason = !outcome || outcome.ok ? undefined : reasons[outcome.failure.detail];
    if (reason) meter.onKilled(reason);
  },
});
