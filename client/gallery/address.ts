/** The gallery's state as it stands in the address: `?page=2&search=cat&sort=name&order=asc`. */

/** In which order, other than the newest first. */
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
  readonly search: string;
  readonly sort?: Sort;
}

/** As the server takes it; nothing for the newest first. */
export const sortParameters = ({ sort }: Pick<Address, 'sort'>): { sort?: string; order?: string } =>
  sorts.find((each) => `${each.sort}-${each.order}` === sort) ?? {};

export function isSort(text: string): text is Sort {
  return sorts.some(({ sort, order }) => `${sort}-${order}` === text);
}

/** Reads the query string of an address; anything but a whole page number from 1 is page 1, any other order the newest first. */
export function parseAddress(query: string): Address {
  const parameters = new URLSearchParams(query);
  const page = parameters.get('page') ?? '';
  const sort = `${parameters.get('sort')}-${parameters.get('order')}`;
  return {
    page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1,
    search: parameters.get('search') ?? '',
    ...(isSort(sort) ? { sort } : {}),
  };
}

/** The query string for a page, a search and an order, without what is the default; '' or '?...'. */
export function formatAddress(address: Address): string {
  const { page, search } = address;
  const parameters = new URLSearchParams();
  if (page > 1) parameters.set('page', String(page));
  if (search !== '') parameters.set('search', search);
  for (const [name, value] of Object.entries(sortParameters(address))) parameters.set(name, value);
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}
