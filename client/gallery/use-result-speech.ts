import { useState } from 'react';
import { sayAgain } from '../lib/say-again.ts';
import { gallery as texts } from '../text/words.ts';
import type { Address } from './address.ts';
import type { GalleryPage } from './image-list.ts';

function wordsFor({ page }: Address, kept: GalleryPage, isSearched: boolean, last: string): string {
  // The empty gallery announces itself.
  if (kept.total === 0) return '';
  const { found, spoken } = texts.pager;
  const words = isSearched
    ? found(kept.total, kept.total_is_estimate)
    : spoken(page, kept.totalPages, kept.images.length);
  return sayAgain(last, words);
}

/** Announces a change of page, search or order once its images have loaded; the first page is not announced. */
export function useResultSpeech(address: Address, kept: GalleryPage | undefined, stale: boolean): string {
  const [last, setLast] = useState<{ address: Address; said: string }>();
  if (kept === undefined || stale || last?.address === address) return last?.said ?? '';
  const before = last?.address;
  const isSame = before?.page === address.page && before.search === address.search && before.sort === address.sort;
  const said =
    last === undefined || isSame
      ? (last?.said ?? '')
      : wordsFor(address, kept, before?.search !== address.search, last.said);
  setLast({ address, said });
  return said;
}
