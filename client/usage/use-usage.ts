import { useEffect, useState } from 'react';
import type { Usage } from '../../server/contract.ts';
import { onHoldingsChange } from '../api/images.ts';
import { readUsage } from '../api/usage.ts';

/** What the account holds: read at once, and again whenever an upload changed it or found it full. Null until it is known. */
export function useUsage(): Usage | null {
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    let reading: AbortController | undefined;
    // Nobody came for it: where it cannot be read nothing is shown, and what is shown stays.
    const read = (): void => {
      reading?.abort(); // an older answer that comes last is not the newest
      reading = new AbortController();
      readUsage(reading.signal).then(setUsage, () => undefined);
    };
    read();
    const stop = onHoldingsChange(read);
    return () => {
      stop();
      reading?.abort();
    };
  }, []);
  return usage;
}
