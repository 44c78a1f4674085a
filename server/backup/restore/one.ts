import type { Database } from '../../database/connect.ts';
import { settledContent } from '../../images/content/queries.ts';
import { expectedObjects } from '../../images/keys.ts';
import { markPlain } from '../../images/seal-queries.ts';
import type { Keyring } from '../../storage/sealed/keyring.ts';
import { type Storage, seals } from '../../storage/storage.ts';
import { type Archive, openArchive } from '../archive/reader.ts';
import { BackupError } from '../backup-error.ts';
import { FileLine, parseAs } from '../manifest.ts';
import { partLines } from '../part-lines.ts';
import { openLine } from '../sealed-files.ts';

type Parts = { db: Database; storage: Storage; keyring: Keyring | undefined };

/** `originals/3f/<id>.jpg` -> the id of the content */
const contentOf = (key: string) => /^(?:originals|thumbnails|screens)\/..\/([0-9a-f-]{36})\.\w+$/.exec(key)?.[1];

/** @returns its SHA-256; null if its row has none; undefined if no row names it */
async function recordedSha256(db: Database, content: string, key: string): Promise<string | null | undefined> {
  const row = await settledContent(db, content);
  return row && expectedObjects(row).find((object) => object.key === key)?.sha256;
}

/** The file's line in the newest snapshot that has it whole, with these bytes. */
async function lineOf(archive: Archive, key: string, sha256: string | null) {
  for (const snapshot of archive.snapshots.toReversed()) {
    const { files } = await archive.readManifest(snapshot);
    for (const part of files.parts) {
      for (const text of await partLines(archive, part)) {
        if (!text.includes(key)) continue;
        const line = parseAs(FileLine, text, 'A list of files in the backup');
        const isWhole = line.key === key && !line.missing && !line.damaged;
        if (isWhole && (sha256 === null || line.sha256 === sha256)) return { line, time: snapshot.time };
      }
    }
  }
  throw new BackupError(`No snapshot in ${archive.path} has ${key} whole, with the bytes that its row names.`);
}

/** Replaces a lost or damaged file of a running gallery. @returns the snapshot's time @throws BackupError before any change */
export async function restoreOne({ db, storage, keyring }: Parts, file: string, key: string): Promise<string> {
  const content = contentOf(key);
  const sha256 = content === undefined ? undefined : await recordedSha256(db, content, key);
  if (content === undefined || sha256 === undefined) {
    throw new BackupError(`No image has a file ${key}: give it as "doctor" names it.`);
  }
  const archive = await openArchive(file, keyring);
  try {
    const { line, time } = await lineOf(archive, key, sha256);
    const staged = await storage.stage(openLine(archive, line, keyring));
    if (staged.sha256 !== line.sha256) {
      await storage.discard(staged);
      throw new BackupError(`The backup is damaged: ${key} has other bytes there.`);
    }
    if (!seals(storage)) await markPlain(db, { id: content, contentId: content });
    await storage.commit(staged, key);
    // If the image was deleted or repaired by an upload meanwhile, no row names this file.
    if ((await recordedSha256(db, content, key)) === sha256) return time;
    await storage.remove(key);
    throw new BackupError(`The image of ${key} was changed or deleted meanwhile. Nothing was restored.`);
  } finally {
    await archive.close();
  }
}
