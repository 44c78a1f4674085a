import { useRef, useState } from 'react';

/** Runs one call at a time: meanwhile `busy` is true and further calls are ignored. */
export function useBusy(): [boolean, (run: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  async function start(run: () => Promise<void>) {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await run();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return [busy, start];
}
