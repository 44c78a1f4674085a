import type { Archive } from './archive-reader.ts';
import { BackupError } from './backup-error.ts';
import type { Part } from './manifest.ts';

/** The lines of one part; its hash and its count are checked. */
export async function partLines(archive: Archive, { sha256, lines: count }: Part): Promise<string[]> {
  const lines = (await archive.readObject(sha256)).toString().split('\n');
  if (lines.pop() === '' && lines.length === count) return lines;
  throw new BackupError(`The part ${sha256} of the backup does not hold the ${count} lines its manifest says.`);
}
