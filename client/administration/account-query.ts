import type { AccountDetails } from '../../server/contract.ts';
import { readAccount } from '../api/account/account.ts';
import { userKey } from '../query/keys.ts';
import type { Query } from '../query/query.ts';

/** The role of the logged-in account, and how it logs in. */
export const accountQuery: Query<AccountDetails> = { key: [...userKey, 'details'], load: readAccount };
