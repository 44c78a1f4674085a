/** The account's shares in the query store. */
import type { NewShare, Share, ShareChange } from '../../../server/contract.ts';
import { addToShare, changeShare, createShare, endShare, listShares, removeFromShare } from '../../api/shares.ts';
import { changing } from '../../query/queries.ts';
import type { Key, Query } from '../../query/query.ts';

type List = readonly Share[];

/** Not in query/keys.ts, which every page loads. */
const sharesKey: Key = ['shares'];

export const sharesQuery: Query<List> = { key: sharesKey, load: listShares };

/** These reject if the server refuses. */
export const addShare = (share: NewShare): Promise<Share> =>
  changing<List, Share>(
    sharesKey,
    () => createShare(share),
    (list, made) => [made, ...list],
  );

const replacing = (change: () => Promise<Share>): Promise<Share> =>
  changing<List, Share>(sharesKey, change, (list, changed) =>
    list.map((share) => (share.id === changed.id ? changed : share)),
  );

export const editShare = (id: string, change: ShareChange): Promise<Share> => replacing(() => changeShare(id, change));

/** The images of a selection. */
export const extendShare = (id: string, ids: readonly string[]): Promise<Share> => replacing(() => addToShare(id, ids));
export const reduceShare = (id: string, ids: readonly string[]): Promise<Share> =>
  replacing(() => removeFromShare(id, ids));

export const removeShare = (id: string): Promise<void> =>
  changing<List, void>(
    sharesKey,
    () => endShare(id),
    (list) => list.filter((share) => share.id !== id),
  );
