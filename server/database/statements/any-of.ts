import { type Column, type SQL, sql } from 'drizzle-orm';
import { textArray } from './arrays.ts';

/** That a column is one of some texts or ids: one parameter, so that a call does not decide the form of the statement. */
export const anyOf = (column: Column, values: readonly string[]): SQL =>
  sql`${column} = any(${textArray(values)}::text::${sql.raw(column.getSQLType())}[])`;
