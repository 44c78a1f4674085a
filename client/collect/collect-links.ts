/** The account's collect links, and the images that wait, in the query store. */
import type { CollectLink, CollectLinkChange, NewCollectLink, WaitingPage } from '../../server/contract.ts';
import {
  changeCollectLink,
  createCollectLink,
  decideWaiting,
  endCollectLink,
  listCollectLinks,
  listWaiting,
} from '../api/collect-links.ts';
import { albumsKey, imagesKey, usageKey } from '../query/keys.ts';
import { changing, invalidate } from '../query/queries.ts';
import type { Key, Query } from '../query/query.ts';
import { type Decided, decideInBatches } from './decide-in-batches.ts';

type List = readonly CollectLink[];

/** Not in query/keys.ts, which every page loads. */
const linksKey: Key = ['collect-links'];

export const collectLinksQuery: Query<List> = { key: linksKey, load: listCollectLinks };

/** Invalidated with the images. */
export const waitingQuery: Query<WaitingPage> = { key: [...imagesKey, 'waiting'], load: listWaiting };

/** These reject if the server refuses. */
export const addCollectLink = (link: NewCollectLink): Promise<CollectLink> =>
  changing<List, CollectLink>(
    linksKey,
    () => createCollectLink(link),
    (list, made) => [made, ...list],
  );

export const editCollectLink = (id: string, change: CollectLinkChange): Promise<CollectLink> =>
  changing<List, CollectLink>(
    linksKey,
    () => changeCollectLink(id, change),
    (list, changed) => list.map((link) => (link.id === id ? changed : link)),
  );

export const removeCollectLink = (id: string): Promise<void> =>
  changing<List, void>(
    linksKey,
    () => endCollectLink(id),
    (list) => list.filter((link) => link.id !== id),
  );

export async function decide(decision: 'admit' | 'refuse', ids: readonly string[]): Promise<Decided> {
  try {
    return await decideInBatches(ids, (some) => decideWaiting(decision, some));
  } finally {
    for (const key of [imagesKey, linksKey, albumsKey, usageKey]) invalidate(key);
  }
}
