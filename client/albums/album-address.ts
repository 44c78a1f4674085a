/** The album's page in the URL: `?page=2`. */

/** Parses a query string. An invalid page number becomes page 1. */
export function parseAlbumPage(query: string): number {
  const page = new URLSearchParams(query).get('page') ?? '';
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1;
}

export const formatAlbumPage = (page: number): string => (page > 1 ? `?page=${page}` : '');
