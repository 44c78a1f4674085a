import { type Column, type SQL, sql } from 'drizzle-orm';
import { textArray } from './arrays.ts';

/** The column equals one of the values. All values are one parameter, so the statement's text does not vary. */
export const anyOf = (column: Column, values: readonly string[]): SQL =>
  sql`${column} = any(${textArray(values)}::text::${sql.raw(column.getSQLType())}[])`;
