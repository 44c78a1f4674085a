import { useSyncExternalStore } from 'react';
import { separator, upload as texts } from '../text/words.ts';

function everySecond(onChange: () => void): () => void {
  const timer = setInterval(onChange, 1000);
  return () => clearInterval(timer);
}

/** Counts down the wait that the server requested, until `until` in ms of performance.now(). */
export function RetryCountdown({ until }: { until: number }) {
  const seconds = useSyncExternalStore(everySecond, () => Math.max(1, Math.ceil((until - performance.now()) / 1000)));
  return (
    <span>
      {separator}
      {texts.dock.retryAfter(seconds)}
    </span>
  );
}
