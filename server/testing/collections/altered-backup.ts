import { openBackupFile } from '../../backup/archive/file.ts';
import { openArchive } from '../../backup/archive/reader.ts';
import type { ArchiveWriter } from '../../backup/archive/writer.ts';
import { partLines } from '../../backup/part-lines.ts';
import { createParts } from '../../backup/parts.ts';

type Row = Record<string, unknown>;

/** Rows of each table by its name, and of the list of files. */
type Lists = Map<string, Row[]>;

/**
 * Adds a snapshot with changed rows or a changed list of files, in the exact format that a backup writes.
 * Each list becomes one part, so that ids, which decide where a backup cuts, decide nothing here.
 */
export async function addSnapshot(
  file: string,
  change: (lists: Lists, writer: ArchiveWriter) => void | Promise<void>,
): Promise<void> {
  const archive = await openArchive(file);
  const last = archive.snapshots.at(-1);
  const manifest = last && (await archive.readManifest(last));
  if (!manifest) throw new Error('no snapshot');
  const targets = [...manifest.tables, { ...manifest.files, name: 'files' }];
  const lists: Lists = new Map();
  for (const { name, parts } of targets) {
    const rows: Row[] = [];
    for (const part of parts) rows.push(...(await partLines(archive, part)).map((line): Row => JSON.parse(line)));
    lists.set(name, rows);
  }
  await archive.close();
  const { writer, finish } = await openBackupFile(file, { installation: manifest.installation, full: false });
  await change(lists, writer);
  for (const target of targets) {
    const rows = lists.get(target.name) ?? [];
    const parts = createParts(writer);
    for (const row of rows) parts.add(JSON.stringify(row));
    await parts.cut();
    target.parts = parts.cuts;
  }
  for (const table of manifest.tables) table.rows = lists.get(table.name)?.length ?? 0;
  const files = { ...manifest.files, parts: targets.at(-1)?.parts ?? [] };
  await writer.seal({ ...manifest, files, time: '2031-01-01T00:00:00.000Z' });
  await finish();
}
