import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { listImages, onImagesStored } from '../api/images.ts';
import { texts } from '../text/gallery.ts';
import { showError } from '../ui/toast.tsx';
import type { Address } from './address.ts';
import { type KeptPage, keepPage, withoutImage } from './page-cache.ts';

const ALL = ['images'] as const;
const keyOf = ({ page, search }: Address) => [...ALL, { page, search }] as const;

export interface ImagePageState {
  /** the page asked for, or while it is on its way the one before; undefined as long as none was ever had */
  readonly kept: KeptPage | undefined;
  /** `kept` is that of another address, about to be replaced */
  readonly stale: boolean;
  readonly fetching: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** The page of images at an address. Leaving an address aborts its call; what is on the screen stays until the next is there. */
export function useImagePage(address: Address): ImagePageState {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: keyOf(address),
    queryFn: async ({ signal }) => keepPage(await listImages(address, signal)),
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
  });
  const last = useRef<KeptPage>(undefined);
  if (query.data) last.current = query.data;

  useEffect(() => onImagesStored(() => void client.invalidateQueries({ queryKey: ALL })), [client]);

  const { error, errorUpdatedAt } = query;
  useEffect(() => {
    // A session that is over says so itself.
    if (error === null || errorUpdatedAt === 0 || (error instanceof ApiError && error.status === 401)) return;
    showError(texts.loadFailed, reasonOf(error));
  }, [error, errorUpdatedAt]);

  return {
    kept: query.data ?? last.current,
    stale: query.isPlaceholderData || (query.data === undefined && last.current !== undefined),
    fetching: query.isFetching,
    failed: query.isError,
    retry: () => void query.refetch(),
  };
}

/**
 * Takes a deleted image out of what was loaded, without a refetch. Pages not on the screen have shifted by one: they are forgotten.
 * @returns the page at `address` as it is now, if it was loaded
 */
export async function dropImage(client: QueryClient, id: string, address: Address): Promise<KeptPage | undefined> {
  // An answer still on its way may have been made before the deletion.
  await client.cancelQueries({ queryKey: ALL, predicate: ({ state }) => state.data !== undefined });
  client.removeQueries({ queryKey: ALL, type: 'inactive' });
  client.setQueriesData<KeptPage>({ queryKey: ALL }, (page) => page && withoutImage(page, id));
  return client.getQueryData<KeptPage>(keyOf(address));
}

export const refreshImages = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: ALL });
