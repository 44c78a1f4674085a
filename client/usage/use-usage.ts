import { useEffect, useState } from 'react';
import type { Usage } from '../../server/contract.ts';
import { onImagesStored } from '../api/images.ts';
import { readUsage } from '../api/usage.ts';

/** What the account holds: read at once, and again whenever images were stored. Null until it is known. */
export function useUsage(): Usage | null {
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    // Nobody came for it: where it cannot be read nothing is shown, and what is shown stays.
    const read = (): void => void readUsage(gone.signal).then(setUsage, () => undefined);
    read();
    const stop = onImagesStored(read);
    return () => {
      stop();
      gone.abort();
    };
  }, []);
  return usage;
}
