/** Sort orders of a gallery. Ids break ties, so that pages never overlap. */
import { InvalidRequest } from '../errors.ts';

const keys = { date: 'uploaded_at', name: 'name_key', size: 'size' } as const;

export type Order = { by: keyof typeof keys; descending: boolean };

export const newestFirst: Order = { by: 'date', descending: true };

export const isNewestFirst = ({ by, descending }: Order): boolean => by === 'date' && descending;

/** The sort column. An index of images has the owner, this column and the id. */
export const keyOf = ({ by }: Order): string => keys[by];

export const reversed = ({ by, descending }: Order): Order => ({ by, descending: !descending });

/** @param table alias with its dot, if the statement has several tables */
export function orderBy(order: Order, table = ''): string {
  const way = order.descending ? 'desc' : 'asc';
  return `order by ${table}${keyOf(order)} ${way}, ${table}id ${way}`;
}

/** Date and size are descending by default, name ascending. @throws InvalidRequest */
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
