/** Executed query plans of Postgres, as nodes. */
import type postgres from 'postgres';
import { eventually } from '../eventually.ts';

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * Analyzes the tables and marks all pages as all-visible, which index-only scans need. Vacuum skips pages newer than a
 * snapshot held in this database, such as autovacuum's during an analyze, hence the retries.
 */
export async function settle(sql: postgres.Sql, tables: readonly string[]): Promise<void> {
  await eventually('every page is visible to all', async () => {
    await sql.unsafe(`vacuum analyze ${tables.join(', ')}`);
    const unsettled = await sql`select from pg_class where relname in ${sql(tables)} and relallvisible < relpages`;
    return unsettled.length === 0;
  });
}

/** The executed plan. A generic plan ignores the values, as for a frequent prepared statement. */
export async function planOf(
  sql: postgres.Sql,
  text: string,
  values: (string | number)[],
  generic: boolean,
): Promise<PlanNode[]> {
  const literals = values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ');
  await sql.unsafe(`set plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`);
  await sql.unsafe(`prepare asked as ${text}`);
  const [row] = await sql.unsafe(`explain (analyze, format json) execute asked (${literals})`);
  await sql.unsafe('deallocate asked');
  return nodesOf(row?.['QUERY PLAN'][0].Plan);
}
