/** The collations of names. Indexes in their order become wrong when a new ICU library, as of a new system, orders texts differently. */
import type postgres from 'postgres';

const indexes: Record<string, string> = { names: 'images_owner_name', names_ar: 'images_owner_name_ar' };

/** The collations whose version is not that of the library. Without ICU, they have none. */
async function outdated(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ collname: string }[]>`select collname from pg_collation
    where collname in ${sql(Object.keys(indexes))} and collversion <> pg_collation_actual_version(oid)`;
  return rows.map(({ collname }) => collname);
}

export const areCollationsCurrent = async (sql: postgres.Sql): Promise<boolean> => (await outdated(sql)).length === 0;

/** Builds the indexes of outdated collations again. */
export async function refreshCollations(sql: postgres.Sql): Promise<void> {
  for (const name of await outdated(sql)) {
    await sql.unsafe(`reindex index ${indexes[name]}`);
    await sql.unsafe(`alter collation ${name} refresh version`);
  }
}
