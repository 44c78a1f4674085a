/** The queries of the albums, and the writes that outdate them. */
import type { AlbumPage } from '../../server/contract.ts';
import { albumsHolding, listAlbums, openAlbum } from '../api/albums.ts';
import { ApiError } from '../api/api-error.ts';
import { type KeptPage, keepPage } from '../image/wall/kept-page.ts';
import { albumsKey } from '../query/keys.ts';
import { invalidate } from '../query/queries.ts';
import type { Key, Query } from '../query/query.ts';

export type KeptAlbumPage = KeptPage<AlbumPage>;

export const albumListQuery = { key: [...albumsKey, 'list'], load: (signal: AbortSignal) => listAlbums(signal) };

const orderOf = ({ images }: KeptAlbumPage): string | undefined => images[0]?.id;

/** Whether the album was deleted. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const albumPagesKey = (id: string): Key => [...albumsKey, 'page', id];

/** One page of an album. */
export const albumPageAt = (id: string, page: number): Query<KeptAlbumPage> => ({
  key: [...albumPagesKey(id), page],
  siblings: albumPagesKey(id),
  load: async (signal) => keepPage(await openAlbum(id, page, signal)),
  isGone,
  outdates: (answer, other) =>
    answer.total !== other.total || (answer.page === other.page && orderOf(answer) !== orderOf(other)),
});

/** For each album with any of these images, how many of them it contains. */
export const holdingQuery = (ids: readonly string[]): Query<ReadonlyMap<string, number>> => ({
  key: [...albumsKey, 'holding', ids.join()],
  load: (signal) => albumsHolding(ids, signal),
});

/** Invalidates all that shows albums, in all tabs. */
export const albumsChanged = (): void => invalidate(albumsKey);
