import { useEffect, useState } from 'react';
import { separator } from '../text/texts.ts';
import { texts } from '../text/upload.ts';

/** Counts down the wait that the server requested, until `until` in ms of performance.now(). */
export function HeldNote({ until }: { until: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span>
      {separator}
      {texts.dock.held(Math.max(1, Math.ceil((until - now) / 1000)))}
    </span>
  );
}
