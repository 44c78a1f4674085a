/** Finds what ended processes left: rows of orphaned blobs, and stale staging files. */
import type { Database } from '../../database/connect.ts';
import { listFiles } from '../../storage/listing.ts';
import type { Report } from './issues.ts';
import { orphanedByProcess } from './queries.ts';

export type StaleParts = {
  db: Database;
  root: string;
  /** The sweeper's own number: it owns rows that it took over and could not remove. */
  process: bigint;
  isAlive: (process: bigint) => Promise<boolean>;
  /** Removes both kinds. */
  sweep: () => Promise<void>;
};

type Options = { repair: boolean; report: Report };
type Left = { subject: string; detail: string };

/** Reports an item as repaired only if it is gone afterwards. */
export async function checkStaleStagingFiles(parts: StaleParts, { repair, report }: Options): Promise<void> {
  const found = await findStale(parts);
  let failure = '';
  let left = found;
  if (repair && found.length > 0) {
    const before = await ownRows(parts);
    await parts.sweep().catch((error: Error) => {
      failure = `; not removed: ${error.message}`;
    });
    left = (await ownRows(parts)) > before ? found : await findStale(parts);
  }
  const still = new Set(left.map(({ subject }) => subject));
  for (const { subject, detail } of found) {
    const repaired = !still.has(subject);
    report({ kind: 'loose bytes', subject, detail: repaired ? detail : detail + failure, repaired });
  }
}

async function ownRows({ db, process }: StaleParts): Promise<number> {
  return (await orphanedByProcess(db)).find((each) => each.process === process)?.count ?? 0;
}

async function findStale({ db, root, isAlive }: StaleParts): Promise<Left[]> {
  const found: Left[] = [];
  for (const { process, count } of await orphanedByProcess(db)) {
    if (!(await isAlive(process))) found.push({ subject: `process ${process}`, detail: `${count} images' bytes` });
  }
  const unreadable = (key: string, code: string) =>
    found.push({ subject: `staging/${key}`, detail: `it cannot be read (${code})` });
  for (const [process, { count, bytes }] of await stagedByProcess(`${root}/staging`, unreadable)) {
    if (await isAlive(process)) continue;
    found.push({ subject: `staging/${process}`, detail: `${count} files, ${bytes} bytes` });
  }
  return found;
}

type Staged = Map<bigint, { count: number; bytes: number }>;

async function stagedByProcess(folder: string, unreadable: (key: string, code: string) => void): Promise<Staged> {
  const staged: Staged = new Map();
  for await (const { key, size } of listFiles(folder, { unreadable })) {
    const process = /^(\d{1,19})\//.exec(key)?.[1];
    if (process === undefined) continue;
    const sum = staged.get(BigInt(process)) ?? { count: 0, bytes: 0 };
    staged.set(BigInt(process), { count: sum.count + 1, bytes: sum.bytes + size });
  }
  return staged;
}
