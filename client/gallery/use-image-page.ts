import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { onImageChanged, onImagesStored } from '../api/images.ts';
import { gallery as texts } from '../text/words.ts';
import { showError } from '../ui/toast.ts';
import type { Address } from './address.ts';
import type { KeptPage } from './page-cache.ts';
import type { Pages } from './pages.ts';

export interface ImagePageState {
  /** the requested page, or the one before while it loads; undefined until one has loaded */
  readonly kept: KeptPage | undefined;
  /** whether `kept` belongs to the previous address */
  readonly stale: boolean;
  readonly fetching: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

/**
 * The page of images at an address. Loads when the address changes and when the user returns to the tab.
 * Leaving an address aborts its call; the shown page stays until the next one has loaded.
 */
export function useImagePage(pages: Pages, address: Address): ImagePageState {
  const { kept, error, failures, fetching } = useSyncExternalStore(pages.subscribe, () => pages.read(address));
  const last = useRef<KeptPage>(undefined);
  if (kept) last.current = kept;

  useEffect(() => {
    const load = (): void => void pages.load(address);
    const comeBack = (): void => {
      if (document.visibilityState === 'visible') load();
    };
    load();
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      document.removeEventListener('visibilitychange', comeBack);
      pages.leave(address);
    };
  }, [pages, address]);
  useEffect(() => onImagesStored(() => void pages.refresh(address)), [pages, address]);
  useEffect(() => onImageChanged((image) => pages.put(image, address)), [pages, address]);

  useEffect(() => {
    // The end of the session has its own message.
    if (failures === 0 || error === undefined || (error instanceof ApiError && error.status === 401)) return;
    showError(texts.loadFailed, reasonOf(error));
  }, [error, failures]);

  return {
    kept: kept ?? last.current,
    stale: kept === undefined && last.current !== undefined,
    fetching,
    failed: error !== undefined,
    retry: () => void pages.load(address),
  };
}
