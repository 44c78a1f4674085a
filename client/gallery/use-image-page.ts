import { queries } from '../query/queries.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import type { Address } from './address.ts';
import type { GalleryPage } from './image-list.ts';
import { imagesAt } from './images-at.ts';

export interface ImagePageState {
  /** the requested page, or the one before while it loads; undefined until one has loaded */
  readonly kept: GalleryPage | undefined;
  /** whether `kept` belongs to the previous address */
  readonly stale: boolean;
  readonly fetching: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** The page of images at an address. The shown page stays until the next one has loaded. */
export function useImagePage(address: Address): ImagePageState {
  const query = imagesAt(address);
  const { data, error, fetching } = useQuery(query);
  const kept = useLast(data);
  return {
    kept,
    stale: data === undefined && kept !== undefined,
    fetching,
    failed: error !== undefined,
    retry: () => void queries.fetch(query),
  };
}
