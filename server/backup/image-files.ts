/** One image's files into the backup. */
import { originalKey, screenKey, thumbnailKey } from '../images/keys.ts';
import type { Storage } from '../storage/storage.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { BackupError } from './backup-error.ts';
import type { FileLine } from './manifest.ts';
import { contentOf, type ImageLine } from './queries.ts';
import { backUpSealed } from './sealed-files.ts';

/** What is wrong with a file of the storage. */
export type Finding = { key: string; kind: 'missing' | 'damaged' | 'unreadable'; detail: string };

type Parts = {
  storage: Pick<Storage, 'read' | 'stat' | 'sealing' | 'answers'>;
  writer: ArchiveWriter;
  imageNow: (id: string) => Promise<ImageLine | undefined>;
};

type Wanted = { key: string; sha256: string | undefined; size?: number };

/** @returns its files and what is wrong with them; undefined where the image was deleted meanwhile */
export async function backUpImage(
  { storage, writer, imageNow }: Parts,
  image: ImageLine,
): Promise<{ lines: FileLine[]; findings: Finding[] } | undefined> {
  const lines: FileLine[] = [];
  const findings: Finding[] = [];

  for (const [place, wanted] of filesOf(image).entries()) {
    let outcome = await backUpFile(storage, writer, wanted);
    if (outcome.finding) {
      const now = await imageNow(image.id);
      if (!now) return undefined;
      outcome = await lookAgain(wanted, outcome, filesOf(now)[place]);
    }
    if (outcome.line) lines.push(outcome.line);
    if (outcome.finding) findings.push(outcome.finding);
  }
  return { lines, findings };

  /** @param now the same file as its row has it by now */
  async function lookAgain(wanted: Wanted, outcome: Outcome, now: Wanted | undefined): Promise<Outcome> {
    const { line } = outcome;
    // Healed since the snapshot by an upload of the same picture: its bytes stand elsewhere, and are taken from there.
    if (now && now.key !== wanted.key) {
      const healed = await backUpFile(storage, writer, now);
      return { ...healed, ...(healed.line && { line: renamed(healed.line, wanted.key) }) };
    }
    // Made anew since the snapshot: its row has the new hash by now.
    if (line && now?.sha256 !== wanted.sha256 && now?.sha256 === line.sha256) {
      const { damaged, ...good } = line;
      return { line: good };
    }
    return outcome;
  }
}

/** What was sealed under one key opens under no other. */
const renamed = (line: FileLine, key: string): FileLine => ({
  ...line,
  key,
  ...(line.sealed && { sealed: { ...line.sealed, name: line.key } }),
});

function filesOf(image: ImageLine): Wanted[] {
  const { size, sha256, has_screen, thumbnail_sha256, screen_sha256 } = image;
  const content = contentOf(image);
  const original = { key: originalKey(content), sha256, size };
  const thumbnail = { key: thumbnailKey(content), sha256: thumbnail_sha256 ?? undefined };
  const screen = { key: screenKey(content), sha256: screen_sha256 ?? undefined };
  return has_screen ? [original, thumbnail, screen] : [original, thumbnail];
}

type Outcome = { line?: FileLine; finding?: Finding };

function judged(line: FileLine, key: string, sha256: string | undefined): Outcome {
  if (sha256 === undefined || line.sha256 === sha256) return { line };
  const finding: Finding = { key, kind: 'damaged', detail: `its SHA-256 is ${line.sha256} instead of ${sha256}` };
  return { line: { ...line, damaged: true }, finding };
}

/** Bytes that the backup holds are not read again; those it would have held, had they not been lost, it gives back. */
async function backUpFile(
  storage: Pick<Storage, 'read' | 'stat' | 'sealing' | 'answers'>,
  writer: ArchiveWriter,
  { key, sha256, size }: Wanted,
): Promise<Outcome> {
  const heldSize = sha256 === undefined ? undefined : writer.sizeOf(sha256);
  const held = sha256 !== undefined && heldSize !== undefined ? { key, size: heldSize, sha256 } : undefined;
  // A missing original is told in the snapshot; a rendition can be made anew.
  const lost = size !== undefined && sha256 !== undefined ? { key, size, sha256, missing: true as const } : undefined;
  const without = (kind: Finding['kind'], detail: string): Outcome => ({
    ...((held ?? lost) && { line: held ?? lost }),
    finding: { key, kind, detail: held ? `${detail}; the backup holds it from before` : detail },
  });
  try {
    const sealed = await storage.sealing?.stored(key);
    if (storage.sealing && sealed) {
      const line = await backUpSealed({ writer, sealing: storage.sealing }, sealed, key, sha256).finally(sealed.close);
      return judged(line, key, sha256);
    }
    const stat = await storage.stat(key);
    if (!stat) return without('missing', 'its row stands, its bytes do not');
    if (held && stat.size === held.size) return { line: held };
    if (held) return without('damaged', `${stat.size} bytes instead of ${held.size}`);
    const stream = await storage.read(key);
    if (!stream) return without('missing', 'its row stands, its bytes do not');
    const stored = await writer.putObject(stream);
    return judged({ key, ...stored }, key, sha256);
  } catch (error) {
    // A failure of the disk costs one file; one of the backup, or a storage that was unmounted or does not answer, ends it.
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (error instanceof BackupError || code === undefined) throw error;
    if (code === 'EBADMSG') return without('damaged', 'its seal is broken');
    if (!(await storage.answers())) throw error;
    return without('unreadable', `the storage cannot read it (${code})`);
  }
}
