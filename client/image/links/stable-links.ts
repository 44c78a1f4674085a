/** The account's stable links in the query store. */
import type { NewStableLink, StableLink, StableLinkChange } from '../../../server/contract.ts';
import { changeStableLink, createStableLink, deleteStableLink, listStableLinks } from '../../api/links.ts';
import { changing } from '../../query/queries.ts';
import type { Key, Query } from '../../query/query.ts';

type List = readonly StableLink[];

/** Not in query/keys.ts, which every page loads. */
export const stableLinksKey: Key = ['stable-links'];

export const stableLinksQuery: Query<List> = { key: stableLinksKey, load: listStableLinks };

/** In the order of the server. */
const withLink = (list: List, link: StableLink): List =>
  [...list.filter(({ id }) => id !== link.id), link].sort((one, other) => (one.name < other.name ? -1 : 1));

/** These reject if the server refuses. */
export const addStableLink = (link: NewStableLink): Promise<StableLink> =>
  changing<List, StableLink>(stableLinksKey, () => createStableLink(link), withLink);

export const editStableLink = (id: string, change: StableLinkChange): Promise<StableLink> =>
  changing<List, StableLink>(stableLinksKey, () => changeStableLink(id, change), withLink);

export const removeStableLink = (id: string): Promise<void> =>
  changing<List, void>(
    stableLinksKey,
    () => deleteStableLink(id),
    (list) => list.filter((link) => link.id !== id),
  );
