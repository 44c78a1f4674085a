import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Image } from '../../../server/contract.ts';
import { ApiError, reasonOf } from '../../api/api-error.ts';
import { gallery as texts } from '../../text/words.ts';
import { showError } from '../../ui/toast.ts';
import type { Address } from '../address.ts';
import type { KeptPage } from '../page-cache.ts';
import type { Pages } from '../pages.ts';
import type { PreviewState } from '../use-preview.ts';

/** The adjacent images on the pages before and after, which the overlay can step to. */
export interface Across {
  /** the last image of the page before, once loaded */
  readonly before: Image | undefined;
  /** the first image of the page after, once loaded */
  readonly after: Image | undefined;
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** whether an adjacent page is loading */
  readonly busy: boolean;
  readonly cross: (by: -1 | 1) => void;
}

export interface Place {
  pages: Pages;
  address: Address;
  kept: KeptPage;
  /** id of the current image */
  id: string;
  onShow: PreviewState['show'];
}

export function useAcross(place: Place): Across {
  const { pages, address, kept } = place;
  const now = useRef(place);
  now.current = place;
  const isHere = useRef(true);
  const [busy, setBusy] = useState(false);
  const hasBefore = address.page > 1;
  const hasAfter = address.page < kept.totalPages;
  const pageAt = (by: number) => pages.read({ ...address, page: address.page + by }).kept;
  const behind = useSyncExternalStore(pages.subscribe, () => (hasAfter ? pageAt(1) : undefined));
  const ahead = useSyncExternalStore(pages.subscribe, () => (hasBefore ? pageAt(-1) : undefined));

  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  // A change of this page forgets the others, so they are prefetched again.
  useEffect(() => {
    if (address.page < kept.totalPages) void pages.prefetch({ ...address, page: address.page + 1 });
    if (address.page > 1) void pages.prefetch({ ...address, page: address.page - 1 });
  }, [pages, address, kept]);

  const cross = useCallback(async (by: -1 | 1): Promise<void> => {
    const from = now.current.id;
    const to = { ...now.current.address, page: now.current.address.page + by };
    const { read, load } = now.current.pages;
    if (read(to).kept === undefined) {
      setBusy(true);
      await load(to);
      setBusy(false);
    }
    // The user has stepped elsewhere or closed the overlay meanwhile.
    if (!isHere.current || now.current.id !== from) return;
    const { kept: found, error } = read(to);
    const image = by > 0 ? found?.images[0] : found?.images.at(-1);
    if (image) now.current.onShow(image.id, to);
    else if (error !== undefined && !(error instanceof ApiError && error.status === 401)) {
      showError(texts.loadFailed, reasonOf(error));
    }
  }, []);

  return {
    before: ahead?.images.at(-1),
    after: behind?.images[0],
    hasBefore,
    hasAfter,
    busy,
    cross: useCallback((by) => void cross(by), [cross]),
  };
}
