/** The gallery's state in the URL: `?page=2&search=cat&sort=name&order=asc`, and `deleted=5` where a page begins earlier. */

/** Every order except the default, newest first. */
export type Sort = 'date-asc' | 'name-asc' | 'name-desc' | 'size-desc' | 'size-asc';

const sorts = [
  { sort: 'date', order: 'asc' },
  { sort: 'name', order: 'asc' },
  { sort: 'name', order: 'desc' },
  { sort: 'size', order: 'desc' },
  { sort: 'size', order: 'asc' },
] as const;

export interface Address {
  readonly page: number;
  /** How many images of the pages before were deleted since those were listed. */
  readonly deleted?: number;
  readonly search: string;
  readonly sort?: Sort;
}

/** The order as query parameters of the API; empty for newest first. */
export const sortParameters = ({ sort }: Pick<Address, 'sort'>): { sort?: string; order?: string } =>
  sorts.find((each) => `${each.sort}-${each.order}` === sort) ?? {};

export function isSort(text: string): text is Sort {
  return sorts.some(({ sort, order }) => `${sort}-${order}` === text);
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

/** Parses a query string. An invalid page number becomes page 1; an unknown order becomes newest first. */
export function parseAddress(query: string): Address {
  const parameters = new URLSearchParams(query);
  const page = parameters.get('page') ?? '';
  const deleted = parameters.get('deleted') ?? '';
  const sort = `${parameters.get('sort')}-${parameters.get('order')}`;
  return {
    page: isNumber(page) ? Number(page) : 1,
    ...(isNumber(deleted) ? { deleted: Number(deleted) } : {}),
    search: parameters.get('search') ?? '',
    ...(isSort(sort) ? { sort } : {}),
  };
}

/** Formats a page, a search and an order as a query string without default values: '' or '?...'. */
export function formatAddress(address: Address): string {
  const { page, deleted, search } = address;
  const parameters = new URLSearchParams();
  if (page > 1) parameters.set('page', String(page));
  if (deleted) parameters.set('deleted', String(deleted));
  if (search !== '') parameters.set('search', search);
  for (const [name, value] of Object.entries(sortParameters(address))) parameters.set(name, value);
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}
