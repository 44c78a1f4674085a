/** The gallery's state as it stands in the address: `?page=2&search=cat`. */
export interface Address {
  readonly page: number;
  readonly search: string;
}

/** Reads the query string of an address; anything but a whole page number from 1 is page 1. */
export function parseAddress(query: string): Address {
  const parameters = new URLSearchParams(query);
  const page = parameters.get('page') ?? '';
  return { page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1, search: parameters.get('search') ?? '' };
}

/** The query string for a page and a search, without what is the default; '' or '?...'. */
export function formatAddress({ page, search }: Address): string {
  const parameters = new URLSearchParams();
  if (page > 1) parameters.set('page', String(page));
  if (search !== '') parameters.set('search', search);
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}
