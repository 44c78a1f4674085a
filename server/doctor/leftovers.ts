/** What ended processes have left: rows of loose bytes, and folders of staged files. */
import type { Database } from '../database/connect.ts';
import { listFiles } from '../storage/listing.ts';
import type { Report } from './findings.ts';
import { looseByProcess } from './queries.ts';

export type LeftoverParts = {
  db: Database;
  root: string;
  isAlive: (process: bigint) => Promise<boolean>;
  /** Removes both. */
  sweep: () => Promise<void>;
};

export async function checkLeftovers(
  { db, root, isAlive, sweep }: LeftoverParts,
  { repair, report }: { repair: boolean; report: Report },
): Promise<void> {
  const found: { subject: string; detail: string }[] = [];
  for (const { process, count } of await looseByProcess(db)) {
    if (!(await isAlive(process))) found.push({ subject: `process ${process}`, detail: `${count} images' bytes` });
  }
  for (const [process, { count, bytes }] of await stagedByProcess(`${root}/staging`)) {
    if (await isAlive(process)) continue;
    found.push({ subject: `staging/${process}`, detail: `${count} files, ${bytes} bytes` });
  }
  if (repair && found.length > 0) await sweep();
  for (const each of found) report({ kind: 'loose bytes', ...each, repaired: repair });
}

async function stagedByProcess(folder: string): Promise<Map<bigint, { count: number; bytes: number }>> {
  const staged = new Map<bigint, { count: number; bytes: number }>();
  for await (const { key, size } of listFiles(folder)) {
    const process = /^(\d{1,19})\//.exec(key)?.[1];
    if (process === undefined) continue;
    const sum = staged.get(BigInt(process)) ?? { count: 0, bytes: 0 };
    staged.set(BigInt(process), { count: sum.count + 1, bytes: sum.bytes + size });
  }
  return staged;
}
