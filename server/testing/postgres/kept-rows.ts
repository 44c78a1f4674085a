import { query } from './embedded.ts';

/** Columns that migrations added with a default. */
const added = ['delete_link', 'waiting', 'role', 'method', 'link_views'];

/** All rows, without null columns and without those that a migration may have added. */
export const keptRows = (url: string, tables: readonly string[]) =>
  Promise.all(
    tables.map((table) =>
      query(
        url,
        `select jsonb_strip_nulls(to_jsonb(rows)) - array['${added.join("','")}'] as row from ${table} rows order by 1::text`,
      ),
    ),
  );
