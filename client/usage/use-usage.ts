import { useCallback, useEffect, useState } from 'react';
import type { Usage } from '../../server/contract.ts';
import { onHoldingsChange } from '../api/images.ts';
import { readUsage } from '../api/usage.ts';

export type Held = 'loading' | 'failed' | Usage;

const keep = (now: Held, state: 'loading' | 'failed'): Held => (typeof now === 'string' ? state : now);

/** The account's usage: read on mount, on `reload`, and after uploads. If a later read fails, the last value stays. */
export function useUsage() {
  const [usage, setUsage] = useState<Held>('loading');
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts reloads
  useEffect(() => {
    let reading: AbortController | undefined;
    const read = (): void => {
      reading?.abort(); // a late answer must not replace a newer one
      reading = new AbortController();
      const { signal } = reading;
      setUsage((now) => keep(now, 'loading'));
      readUsage(signal).then(setUsage, () => {
        if (!signal.aborted) setUsage((now) => keep(now, 'failed'));
      });
    };
    read();
    const stop = onHoldingsChange(read);
    return () => {
      stop();
      reading?.abort();
    };
  }, [asked]);
  return { usage, reload: useCallback(() => setAsked((times) => times + 1), []) };
}
