/** Sort orders of a gallery. Ids break ties, so that pages never overlap. */
import { InvalidRequest } from '../errors.ts';

const keys = { date: 'uploaded_at', name: 'name_key collate "names"', size: 'size' } as const;

/** Languages whose order by name differs from the root order of Unicode. Each has a collation and an index. */
const ownOrder = new Map([['ar', 'name_key collate "names_ar"']]);

/** @param language of the reader, such as `ar` */
export type Order = { by: keyof typeof keys; descending: boolean; language?: string };

export const newestFirst: Order = { by: 'date', descending: true };

export const isNewestFirst = ({ by, descending }: Order): boolean => by === 'date' && descending;

/** The sort column. An index of images has the owner, this column and the id. */
export const keyOf = ({ by, language = '' }: Order): string => (by === 'name' && ownOrder.get(language)) || keys[by];

export const reversed = (order: Order): Order => ({ ...order, descending: !order.descending });

/** @param table alias with its dot, if the statement has several tables */
export function orderBy(order: Order, table = ''): string {
  const way = order.descending ? 'desc' : 'asc';
  return `order by ${table}${keyOf(order)} ${way}, ${table}id ${way}`;
}

/** Date and size are descending by default, name ascending. @throws InvalidRequest */
export function readOrder({ sort, order, language }: { sort?: unknown; order?: unknown; language?: unknown }): Order {
  if (sort !== undefined && (typeof sort !== 'string' || !Object.hasOwn(keys, sort))) {
    throw new InvalidRequest('The sort must be date, name or size.');
  }
  if (order !== undefined && order !== 'asc' && order !== 'desc') {
    throw new InvalidRequest('The order must be asc or desc.');
  }
  if (language !== undefined && (typeof language !== 'string' || !/^[a-z]{2,8}(?:-[a-z\d]{1,8})*$/i.test(language))) {
    throw new InvalidRequest('The language must be a tag such as ar or en-GB.');
  }
  const by = (sort ?? 'date') as Order['by'];
  const [primary] = language?.toLowerCase().split('-') ?? [];
  return { by, descending: order === undefined ? by !== 'name' : order === 'desc', language: primary };
}
