import type { Usage } from '../../server/contract.ts';
import { readUsage } from '../api/usage.ts';
import { usageKey } from '../query/keys.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useQuery } from '../query/use-query.ts';

export type Held = 'loading' | 'failed' | Usage;

const usageQuery: Query<Usage> = { key: usageKey, load: readUsage };

/** The account's usage, loaded again after uploads and deletions. If a later call fails, the last value stays. */
export function useUsage() {
  const { data, error, fetching } = useQuery(usageQuery);
  const usage: Held = data ?? (error === undefined ? 'loading' : 'failed');
  return { usage, busy: fetching, reload: () => void queries.fetch(usageQuery) };
}
