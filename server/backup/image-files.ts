/** Backs up one image's files. */
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import { failureOfFile, type RetryPolicy, withRetry } from '../storage/retry-policy.ts';
import { isDamage } from '../storage/sealed/damage.ts';
import type { Storage } from '../storage/storage.ts';
import type { ArchiveWriter } from './archive/writer.ts';
import type { FileLine } from './manifest.ts';
import { contentOf, type ImageLine } from './queries.ts';
import { backUpSealed, forPresentKey, type SealedLines, sealIntoBackup } from './sealed-files.ts';

export type Issue = { key: string; kind: 'missing' | 'damaged' | 'unreadable'; detail: string };

type Parts = {
  storage: Pick<Storage, 'read' | 'stat' | 'sealing' | 'isHealthy'>;
  writer: ArchiveWriter;
  sealedBefore: SealedLines;
  imageNow: (id: string) => Promise<ImageLine | undefined>;
  retries: RetryPolicy;
};

type Wanted = { key: string; sha256: string | undefined; size?: number; sealed: boolean };

/** @returns its files and their problems; undefined if the image was deleted meanwhile */
export async function backUpImage(
  parts: Parts,
  image: ImageLine,
): Promise<{ lines: FileLine[]; issues: Issue[] } | undefined> {
  const { imageNow } = parts;
  const lines: FileLine[] = [];
  const issues: Issue[] = [];

  for (const [index, wanted] of filesOf(image).entries()) {
    let outcome = await backUpFile(parts, wanted);
    if (outcome.issue) {
      const now = await imageNow(image.id);
      if (!now) return undefined;
      outcome = await lookAgain(wanted, outcome, filesOf(now)[index]);
    }
    if (outcome.line) lines.push(outcome.line);
    if (outcome.issue) issues.push(outcome.issue);
  }
  return { lines, issues };

  /** Retries with the row as it is `now`: meanwhile an upload may have moved the file, or a rebuild changed its bytes. */
  async function lookAgain(wanted: Wanted, outcome: Outcome, now: Wanted | undefined): Promise<Outcome> {
    const isSame = now?.key === wanted.key && now.sha256 === wanted.sha256 && now.sealed === wanted.sealed;
    if (!now || isSame) return outcome;
    const again = await backUpFile(parts, now);
    if (!again.line || now.key === wanted.key) return again;
    return { ...again, line: renamed(again.line, wanted.key) };
  }
}

/** A sealed object opens only under the name it was sealed with. */
const renamed = (line: FileLine, key: string): FileLine => ({
  ...line,
  key,
  ...(line.sealed && { sealed: { ...line.sealed, name: line.key } }),
});

function filesOf(image: ImageLine): Wanted[] {
  const { size, sha256, has_screen, thumbnail_sha256, screen_sha256 } = image;
  const { sealed = false, renditions_sealed = false } = image;
  const content = contentOf(image);
  const original = { key: originalKey(content), sha256, size, sealed };
  const thumbnail = { key: thumbnailKey(content), sha256: thumbnail_sha256 ?? undefined, sealed: renditions_sealed };
  const screen = { key: screenKey(content), sha256: screen_sha256 ?? undefined, sealed: renditions_sealed };
  return has_screen ? [original, thumbnail, screen] : [original, thumbnail];
}

type Outcome = { line?: FileLine; issue?: Issue };

/** The file's line in the newest snapshot, if the backup also holds its object. */
async function heldSealed({ writer, sealedBefore }: Parts, { key, sha256 }: Wanted): Promise<FileLine | undefined> {
  const line = sha256 === undefined ? undefined : await sealedBefore(key, sha256);
  return line?.sealed && writer.sizeOf(line.sealed.sha256) === line.sealed.size ? line : undefined;
}

/** Backs up one file: not read if the backup holds its bytes, and taken from there if lost in the storage. */
async function backUpFile(parts: Parts, wanted: Wanted): Promise<Outcome> {
  const { storage, writer, retries } = parts;
  const { key, sha256, size } = wanted;
  const present = storage.sealing?.keyring.present;
  const heldSize = sha256 === undefined || present ? undefined : writer.sizeOf(sha256);
  const heldPlain = sha256 !== undefined && heldSize !== undefined ? { key, size: heldSize, sha256 } : undefined;
  // A missing original is recorded in the snapshot; a rendition can be rebuilt.
  const lost = size !== undefined && sha256 !== undefined ? { key, size, sha256, missing: true as const } : undefined;
  const sealedBefore = await heldSealed(parts, wanted);
  const before = heldPlain ?? (sealedBefore && storage.sealing && forPresentKey(sealedBefore, storage.sealing.keyring));
  /** An object with these bytes, if they are stored plain with the same size. */
  const held = present ? before : heldPlain;
  const without = (kind: Issue['kind'], detail: string): Outcome => ({
    ...((before ?? lost) && { line: before ?? lost }),
    issue: { key, kind, detail: before ? `${detail}; the backup holds it from before` : detail },
  });
  const checked = (line: FileLine): Outcome => {
    if (sha256 === undefined || line.sha256 === sha256) return { line };
    const outcome = without('damaged', `its SHA-256 is ${line.sha256} instead of ${sha256}`);
    return before ? outcome : { ...outcome, line: { ...line, damaged: true } };
  };

  async function take(): Promise<Outcome> {
    const sealed = await storage.sealing?.stored(key);
    if (storage.sealing && sealed) {
      const line = await backUpSealed({ writer, sealing: storage.sealing }, sealed, key, sealedBefore).finally(
        sealed.close,
      );
      return checked(line);
    }
    const stat = await storage.stat(key, wanted.sealed);
    if (!stat) return without('missing', 'its row exists, its bytes do not');
    if (held && stat.size === held.size) return { line: held };
    if (held) return without('damaged', `${stat.size} bytes instead of ${held.size}`);
    const stream = await storage.read(key, undefined, wanted.sealed);
    if (!stream) return without('missing', 'its row exists, its bytes do not');
    if (present) return checked(await sealIntoBackup(writer, stream, key, present));
    return checked({ key, ...(await writer.putObject(stream)) });
  }

  try {
    return await withRetry(take, retries);
  } catch (error) {
    if (isDamage(error)) return without(error.code === 'EBADMSG' ? 'damaged' : 'unreadable', error.reason);
    // A failed disk read loses one file; a failing backup, or an unmounted or unreachable storage, ends the run.
    return without('unreadable', `the storage cannot read it (${await failureOfFile(error, storage.isHealthy)})`);
  }
}
