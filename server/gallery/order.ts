/** In which order a gallery is shown. Images that are alike in it are told apart by their ids, so that pages never overlap. */
import { InvalidRequest } from '../errors.ts';

const keys = { date: 'uploaded_at', name: 'name_key', size: 'size' } as const;

export type Order = { by: keyof typeof keys; descending: boolean };

export const newestFirst: Order = { by: 'date', descending: true };

export const isNewestFirst = ({ by, descending }: Order): boolean => by === 'date' && descending;

/** The column that it goes by; an index of images begins with the owner, then it, then the id. */
export const keyOf = ({ by }: Order): string => keys[by];

export const reversed = ({ by, descending }: Order): Order => ({ by, descending: !descending });

/** @param table with its dot, where the statement has several */
export function orderBy(order: Order, table = ''): string {
  const way = order.descending ? 'desc' : 'asc';
  return `order by ${table}${keyOf(order)} ${way}, ${table}id ${way}`;
}

/** By date and by size the last come first, by name the first, unless it is said. @throws InvalidRequest */
export function readOrder({ sort, order }: { sort?: unknown; order?: unknown }): Order {
  if (sort !== undefined && (typeof sort !== 'string' || !Object.hasOwn(keys, sort))) {
    throw new InvalidRequest('The sort must be date, name or size.');
  }
  if (order !== undefined && order !== 'asc' && order !== 'desc') {
    throw new InvalidRequest('The order must be asc or desc.');
  }
  const by = (sort ?? 'date') as Order['by'];
  return { by, descending: order === undefined ? by !== 'name' : order === 'desc' };
}
