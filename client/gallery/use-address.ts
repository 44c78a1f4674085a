import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { type Address, formatAddress, parseAddress } from './address.ts';

export type Go = (address: Address, how: 'push' | 'replace') => void;

/** Reads the gallery's page, search and order from the URL and writes them to it. */
export function useAddress(): readonly [Address, Go] {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const address = useMemo(() => parseAddress(query), [query]);
  const go = useCallback<Go>(
    (next, how) => navigate(`${path}${formatAddress(next)}`, { replace: how === 'replace' }),
    [path, navigate],
  );
  return [address, go];
}
