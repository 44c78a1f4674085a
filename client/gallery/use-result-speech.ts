import { useEffect, useRef, useState } from 'react';
import { texts } from '../text/gallery.ts';
import type { Address } from './address.ts';
import type { KeptPage } from './page-cache.ts';

/** What a screen reader hears once a change of page or search has its images; nothing for the first page. */
export function useResultSpeech({ page, search }: Address, kept: KeptPage | undefined, stale: boolean): string {
  const [said, setSaid] = useState('');
  const spoken = useRef<string>(undefined);
  useEffect(() => {
    if (kept === undefined || stale) return;
    const place = `${page} ${search}`;
    const before = spoken.current;
    spoken.current = place;
    if (before === undefined || before === place) return;
    const searched = before.slice(before.indexOf(' ') + 1) !== search;
    const { found, spoken: turned } = texts.pager;
    // An empty result is said by its own block.
    if (kept.total === 0) setSaid('');
    else
      setSaid(searched ? found(kept.total, kept.total_is_estimate) : turned(page, kept.totalPages, kept.images.length));
  }, [page, search, kept, stale]);
  return said;
}
