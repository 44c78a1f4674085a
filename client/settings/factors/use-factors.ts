import { useState } from 'react';
import type { Factors } from '../../../server/contract.ts';
import { readFactors } from '../../api/account/factors.ts';
import { factorsKey, sessionsKey } from '../../query/keys.ts';
import { invalidate, queries } from '../../query/queries.ts';
import type { Query } from '../../query/query.ts';
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

let openings = 0;

/** As `useFactors`, but read again for each question for a proof: a login at the provider is recent for a few minutes only. */
export function useFactorsNow(): ReturnType<typeof useFactors> {
  const known = useFactors();
  const [query] = useState((): Query<Factors> => {
    openings += 1;
    return { key: [...factorsKey, openings], load: readFactors };
  });
  const changesWithTime = typeof known.factors !== 'string' && known.factors.provider_proof !== null;
  const { data, error, fetching } = useQuery(changesWithTime ? query : null);
  if (!changesWithTime) return known;
  return {
    factors: data ?? (error === undefined ? 'loading' : 'failed'),
    busy: fetching,
    reload: () => void queries.fetch(query),
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
