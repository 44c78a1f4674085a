import { useEffect, useEffectEvent, useState } from 'react';
import type { Image } from '../../../../server/contract.ts';
import { queries } from '../../../query/queries.ts';
import type { Query } from '../../../query/query.ts';
import { useQuery } from '../../../query/use-query.ts';
import { shownId } from '../../use-preview.ts';
import type { KeptPage } from '../../wall/kept-page.ts';
import { locate } from '../../wall/locate.ts';

/** The adjacent images on the pages before and after, which the overlay can step to. */
export interface AdjacentPages {
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
  /** The query of a page of the list. */
  pageOf: (page: number) => Query<KeptPage>;
  /** The page in the URL. */
  page: number;
  kept: KeptPage;
  /** id of the current image */
  id: string;
  onShow: (id: string, page?: number) => void;
}

/** Data that is up to date, loaded if necessary. */
async function freshPage(query: Query<KeptPage>): Promise<KeptPage | undefined> {
  const { data, stale } = queries.read<KeptPage>(query.key);
  return data && !stale ? data : (await queries.fetch(query)).data;
}

export function useAdjacentPages({ pageOf, page, kept, id, onShow }: Place): AdjacentPages {
  const [busy, setBusy] = useState(false);
  const hasBefore = page > 1;
  const hasAfter = page < kept.totalPages;
  const ahead = useQuery(hasBefore ? pageOf(page - 1) : null, true);
  const behind = useQuery(hasAfter ? pageOf(page + 1) : null, true);

  // An upload or a deletion elsewhere has moved the image to another page: the overlay follows it.
  const [lost, setLost] = useState<string>();
  const isMoved = kept.page === page && !kept.images.some((image) => image.id === id) && lost !== id;
  const follow = useEffectEvent(async () => {
    const found = await locate(id, page, (at) => freshPage(pageOf(at)));
    if (shownId() !== id) return;
    if (found === undefined || found === page) setLost(id);
    else onShow(id, found);
  });
  useEffect(() => {
    if (isMoved) void follow();
  }, [isMoved]);

  const cross = async (by: -1 | 1): Promise<void> => {
    setBusy(true);
    const found = await freshPage(pageOf(page + by));
    setBusy(false);
    const image = by > 0 ? found?.images[0] : found?.images.at(-1);
    // The user may have stepped elsewhere or closed the overlay meanwhile.
    if (image && shownId() === id) onShow(image.id, page + by);
  };

  return {
    before: isMoved || ahead.stale ? undefined : ahead.data?.images.at(-1),
    after: isMoved || behind.stale ? undefined : behind.data?.images[0],
    hasBefore,
    hasAfter,
    busy: busy || isMoved,
    cross: (by) => {
      if (!busy && !isMoved) void cross(by);
    },
  };
}
