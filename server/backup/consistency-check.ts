import type { Archive } from './archive/reader.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';
import { partLines } from './part-lines.ts';
import { checkConsistency } from './rows.ts';

/** Compares rows with the list of files, part by part; adds compared pairs to `seen`. @throws BackupError */
export async function checkSnapshot(
  archive: Archive,
  { tables, files }: Manifest,
  seen = new Set<string>(),
): Promise<void> {
  const rows = tables.find(({ name }) => name === 'images')?.parts ?? [];
  if (rows.length !== files.parts.length) {
    throw new BackupError('The backup is damaged: its list of files does not go with its images.');
  }
  for (const [index, part] of rows.entries()) {
    const list = files.parts[index];
    const pair = `${part.sha256} ${list?.sha256}`;
    if (!list || seen.has(pair)) continue;
    checkConsistency(await partLines(archive, part), await partLines(archive, list));
    seen.add(pair);
  }
}
