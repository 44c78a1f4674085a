import { InvalidRequest } from '../errors.ts';

/** @param page as a query says it; 1 where it says nothing @throws InvalidRequest */
export function readPage(page: unknown): number {
  if (page === undefined) return 1;
  if (typeof page === 'string' && /^0*[1-9]\d*$/.test(page)) return Math.min(Number(page), Number.MAX_SAFE_INTEGER);
  throw new InvalidRequest('The page must be a whole number from 1.');
}
