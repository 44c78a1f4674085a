import type { Identity, IdentityList } from '../../../server/contract.ts';
import { listIdentities, unlinkIdentity } from '../../api/provider/identities.ts';
import { identitiesKey } from '../../query/keys.ts';
import { changing, queries } from '../../query/queries.ts';
import type { Query } from '../../query/query.ts';

export const identitiesQuery: Query<IdentityList> = { key: identitiesKey, load: listIdentities };

export const reloadIdentities = (): void => void queries.fetch(identitiesQuery);

/** Rejects if the server refuses. */
export const unlink = (identity: Identity, proof: string): Promise<void> =>
  changing<IdentityList, void>(
    identitiesKey,
    () => unlinkIdentity(identity, proof),
    (list) => ({ ...list, identities: list.identities.filter(({ id }) => id !== identity.id) }),
  );
