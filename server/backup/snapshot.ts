import type postgres from 'postgres';
import { type Progress, silent } from '../lib/progress.ts';
import type { RetryPolicy } from '../storage/retry-policy.ts';
import type { Storage } from '../storage/storage.ts';
import type { BackupFile } from './archive/file.ts';
import { backUpImage, type Issue } from './image-files.ts';
import type { FileLine, Manifest, Table } from './manifest.ts';
import { createParts, endsPart, type Parts } from './parts.ts';
import {
  columnsOf,
  contentOf,
  type ImageLine,
  imageNow,
  imagesAndBytes,
  linesOf,
  momentOf,
  savedTables,
  schemaLevel,
  sharedContents,
  sortKeyOf,
} from './queries.ts';

type Context = {
  tx: postgres.TransactionSql;
  /** Sees the present state; `tx` sees the state when the backup began. */
  sql: postgres.Sql;
  storage: Pick<Storage, 'read' | 'stat' | 'sealing' | 'isHealthy'>;
  file: BackupFile;
  installation: string;
  version: string;
};
type Options = RetryPolicy & {
  progress?: Progress;
  report?: (issue: Issue) => void;
};

type SnapshotResult = { manifest: Manifest; issues: number; deleted: number };

/** Writes rows and files, part by part, then the manifest that completes the snapshot. */
export async function writeSnapshot(context: Context, options: Options): Promise<SnapshotResult> {
  const { tx, file, installation, version } = context;
  const { progress = silent } = options;
  const images = imageWriter(context, await sharedContents(tx), options);
  progress.begin('Backing up', (await imagesAndBytes(tx)).bytes);
  const tables: Table[] = [];
  for (const name of savedTables) {
    tables.push(await writeTable(context, name, name === 'images' ? images.write : undefined, images.parts));
  }
  const { files, counts } = images;
  files.parts = images.parts.cuts;
  const time = await momentOf(tx, file.newest);
  const schema = await schemaLevel(tx);
  const manifest = { format: file.format, program: version, time, installation, schema, tables, files };
  await file.writer.seal(manifest);
  return { manifest, ...counts };
}

/** @param visit whether the row belongs in the snapshot; `fileParts` is cut where the table's parts are */
async function writeTable(
  { tx, file }: Context,
  name: string,
  visit: ((line: string) => Promise<boolean>) | undefined,
  fileParts: Parts,
): Promise<Table> {
  const parts = createParts(file.writer);
  const key = sortKeyOf(name);
  let rows = 0;
  const cut = async () => {
    await parts.cut();
    await fileParts.cut();
  };
  for await (const lines of linesOf(tx, name)) {
    for (const line of lines) {
      if (visit && !(await visit(line))) continue;
      parts.add(line);
      rows += 1;
      if (parts.full || fileParts.full || endsPart(JSON.parse(line)[key])) await cut();
    }
  }
  await cut();
  return { name, columns: await columnsOf(tx, name), rows, parts: parts.cuts };
}

/** Backs up each image's files before its row. @param shared contents of several images, read and counted once */
function imageWriter(
  { sql, storage, file }: Context,
  shared: ReadonlySet<string>,
  { progress = silent, report, ...retries }: Options,
) {
  const { writer, sealedBefore } = file;
  const taken = new Map<string, FileLine[]>();
  const parts = createParts(writer);
  const files: Manifest['files'] = { count: 0, bytes: 0, missing: 0, damaged: 0, parts: [] };
  const counts = { issues: 0, deleted: 0 };

  async function write(row: string): Promise<boolean> {
    retries.signal?.throwIfAborted();
    const image: ImageLine = JSON.parse(row);
    const content = contentOf(image).id;
    const before = taken.get(content);
    if (before) {
      for (const line of before) parts.add(textOf(line));
      progress.advance(image.size);
      return true;
    }
    const outcome = await backUpImage(
      { storage, writer, sealedBefore, imageNow: (id) => imageNow(sql, id), retries },
      image,
    );
    progress.advance(image.size);
    if (!outcome) counts.deleted += 1;
    else if (shared.has(content)) {
      for (const line of outcome.lines) line.shared = true;
      taken.set(content, outcome.lines);
    }
    for (const line of outcome?.lines ?? []) {
      parts.add(textOf(line));
      if (line.damaged) files.damaged += 1;
      if (line.missing) files.missing += 1;
      else {
        files.count += 1;
        files.bytes += line.size;
      }
    }
    for (const issue of outcome?.issues ?? []) {
      counts.issues += 1;
      report?.(issue);
    }
    return outcome !== undefined;
  }

  return { write, parts, files, counts };
}

/** Fixed field order: equal lines must be equal bytes. */
const textOf = ({ key, size, sha256, sealed, missing, damaged, shared }: FileLine): string =>
  JSON.stringify({ key, size, sha256, sealed, missing, damaged, shared });
