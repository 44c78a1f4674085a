import { InvalidRequest } from '../errors.ts';

/** The page number of a query, 1 by default. @throws InvalidRequest */
export function readPage(page: unknown): number {
  if (page === undefined) return 1;
  if (typeof page === 'string' && /^0*[1-9]\d*$/.test(page)) return Math.min(Number(page), Number.MAX_SAFE_INTEGER);
  throw new InvalidRequest('The page must be a whole number from 1.');
}

/** How many images of the pages before were deleted since they were listed, 0 by default. @throws InvalidRequest */
export function readDeleted(deleted: unknown): number {
  if (deleted === undefined) return 0;
  if (typeof deleted === 'string' && /^\d{1,9}$/.test(deleted)) return Number(deleted);
  throw new InvalidRequest('What was deleted must be a whole number from 0.');
}
