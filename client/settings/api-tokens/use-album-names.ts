import type { Album } from '../../../server/contract.ts';
import { listTokenAlbums } from '../../api/api-tokens.ts';
import { albumsKey } from '../../query/keys.ts';
import type { Query } from '../../query/query-store.ts';
import { useQuery } from '../../query/use-query.ts';

/** The same entry as that of the albums' page. */
const albumsQuery: Query<Album[]> = { key: [...albumsKey, 'list'], load: listTokenAlbums };

/** The account's albums, loaded only if they are needed. */
export function useAlbumNames(isNeeded: boolean): { albums: readonly Pick<Album, 'id' | 'name'>[]; isFailed: boolean } {
  const { data, error } = useQuery(isNeeded ? albumsQuery : null);
  return { albums: data ?? [], isFailed: data === undefined && error !== undefined };
}
