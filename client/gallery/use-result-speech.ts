import { useEffect, useRef, useState } from 'react';
import { sayAgain } from '../lib/say-again.ts';
import { gallery as texts } from '../text/words.ts';
import type { Address } from './address.ts';
import type { KeptPage } from './page-cache.ts';

/** Announces a change of page, search or order once its images have loaded; the first page is not announced. */
export function useResultSpeech({ page, search, sort }: Address, kept: KeptPage | undefined, stale: boolean): string {
  const [said, setSaid] = useState('');
  const spoken = useRef<string[]>(undefined);
  useEffect(() => {
    if (kept === undefined || stale) return;
    const place = [search, sort ?? '', String(page)];
    const before = spoken.current;
    spoken.current = place;
    if (before === undefined || before.join() === place.join()) return;
    const searched = before[0] !== search;
    const { found, spoken: turned } = texts.pager;
    // The empty gallery announces itself.
    if (kept.total === 0) return setSaid('');
    const words = searched
      ? found(kept.total, kept.total_is_estimate)
      : turned(page, kept.totalPages, kept.images.length);
    setSaid((last) => sayAgain(last, words));
  }, [page, search, sort, kept, stale]);
  return said;
}
