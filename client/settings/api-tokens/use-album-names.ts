import type { Album } from '../../../server/contract.ts';
import { listAlbums } from '../../api/albums.ts';
import { albumsKey } from '../../query/keys.ts';
import { useQuery } from '../../query/use-query.ts';

/** The same entry as that of the albums' page. */
const albumListQuery = { key: [...albumsKey, 'list'], load: (signal: AbortSignal) => listAlbums(signal) };

/** The account's albums, loaded only if they are needed. */
export function useAlbumNames(isNeeded: boolean): { albums: readonly Pick<Album, 'id' | 'name'>[]; isFailed: boolean } {
  const { data, error } = useQuery(isNeeded ? albumListQuery : null);
  return { albums: data ?? [], isFailed: data === undefined && error !== undefined };
}
