import { isDeepStrictEqual } from 'node:util';

/** Whether the changes give any field of the row another value. */
export const differs = <Row extends object>(row: Row, changes: Partial<Row>): boolean =>
  (Object.keys(changes) as (keyof Row)[]).some((key) => !isDeepStrictEqual(row[key], changes[key]));
