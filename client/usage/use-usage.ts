import { useCallback, useEffect, useState } from 'react';
import type { Usage } from '../../server/contract.ts';
import { onHoldingsChange } from '../api/images.ts';
import { readUsage } from '../api/usage.ts';

export type Held = 'loading' | 'failed' | Usage;

const keep = (now: Held, state: 'loading' | 'failed'): Held => (typeof now === 'string' ? state : now);

/**
 * What the account holds: read at once, when it is asked for anew by `reload`, and whenever an upload changed it or found
 * it full. What was read once stays where a later reading fails.
 */
export function useUsage() {
  const [usage, setUsage] = useState<Held>('loading');
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the times that somebody asked anew
  useEffect(() => {
    let reading: AbortController | undefined;
    const read = (): void => {
      reading?.abort(); // an older answer that comes last is not the newest
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
