import type { Factors } from '../../../server/contract.ts';
import { readFactors } from '../../api/factors.ts';
import { factorsKey, sessionsKey } from '../../query/keys.ts';
import { invalidate, queries } from '../../query/queries.ts';
import type { Query } from '../../query/query-store.ts';
import { useQuery } from '../../query/use-query.ts';

const factorsQuery: Query<Factors> = { key: factorsKey, load: readFactors };

/** The account's second factors. */
export function useFactors() {
  const { data, error, fetching } = useQuery(factorsQuery);
  return {
    factors: data ?? (error === undefined ? ('loading' as const) : ('failed' as const)),
    busy: fetching,
    reload: () => void queries.fetch(factorsQuery),
  };
}

/** Runs a change of second factors, and reads them again. */
export async function changingFactors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } finally {
    invalidate(factorsKey);
    invalidate(sessionsKey);
  }
}
