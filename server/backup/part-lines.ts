import type { Archive } from './archive/reader.ts';
import { BackupError } from './backup-error.ts';
import type { Part } from './manifest.ts';
import { openPart } from './sealed-rows.ts';

/** The lines of one part; checks its hash and line count. */
export async function partLines(archive: Archive, part: Part): Promise<string[]> {
  const stored = await archive.readObject(part.sealed?.sha256 ?? part.sha256);
  const lines = openPart(stored, part, archive).toString().split('\n');
  if (lines.pop() === '' && lines.length === part.lines) return lines;
  throw new BackupError(
    `The part ${part.sha256} of the backup does not hold the ${part.lines} lines its manifest says.`,
  );
}
