import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { hashInName, manifestName, objectName, sealedManifestName } from '../manifest.ts';
import { createHashIndex, type HashIndex } from './hash-index.ts';
import { BLOCK, decodeHeader, type TarHeader } from './tar-header.ts';
import { type Entry, type Gap, walkArchive } from './walk.ts';

/** A whole snapshot. `end` is the offset after it. */
export type Snapshot = { time: string; manifest: Entry; end: number };

type Survey = {
  snapshots: Snapshot[];
  objects: HashIndex;
  /** Damaged ranges before the end of the last snapshot. */
  gaps: Gap[];
  /** Offset after the last whole snapshot. */
  end: number;
};

const SEAL = /^snapshots\/([\w:.-]+)\/manifest\.sha256$/;
/** Bytes. Larger than any manifest: a manifest of a million images has a megabyte. */
const LARGEST_MANIFEST = 2 ** 28;

/** Lists the objects and whole snapshots of a file. Plain manifests in a `sealed` file are not ours and do not count. */
export async function surveyArchive(
  file: FileHandle,
  fileSize: number,
  { mark, sealed }: { mark: Buffer; sealed: boolean },
): Promise<Survey> {
  const nameOf = sealed ? sealedManifestName : manifestName;
  const objects = createHashIndex();
  const again: [sha256: string, body: number][] = [];
  const gaps: Gap[] = [];
  const snapshots: Snapshot[] = [];
  let previous: Entry | undefined;
  for (const entry of walkArchive(file.fd, fileSize, mark)) {
    if (entry.kind === 'gap') gaps.push(entry);
    else {
      const object = hashInName(entry.name);
      if (object && objects.get(object) === undefined) objects.set(object, entry.body);
      else if (object) again.push([object, entry.body]);
      const snapshot = object ? undefined : await sealedBy(entry, previous, file, nameOf);
      if (snapshot) snapshots.push(snapshot);
      previous = entry;
    }
  }
  const end = snapshots.at(-1)?.end ?? 0;
  // The second copy replaces one in a damaged range, unless an interrupted backup wrote it.
  for (const [sha256, body] of again) if (body < end) objects.set(sha256, body);
  return { snapshots, objects, gaps: gaps.filter(({ at }) => at < end), end };
}

/** The snapshot that this entry completes, if its hash matches the manifest before it. */
async function sealedBy(
  seal: Entry,
  manifest: Entry | undefined,
  file: FileHandle,
  nameOf: (time: string) => string,
): Promise<Snapshot | undefined> {
  const time = SEAL.exec(seal.name)?.[1];
  if (!time || manifest?.name !== nameOf(time) || manifest.size > LARGEST_MANIFEST) return undefined;
  const recorded = (await readBody(file, { ...seal, size: Math.min(seal.size, 100) })).toString();
  return recorded === sealOf(await readBody(file, manifest), manifest.name)
    ? { time, manifest, end: seal.end }
    : undefined;
}

/** The seal's text in the format of `sha256sum`. */
export const sealOf = (manifest: Uint8Array, name = 'manifest.json'): string =>
  `${createHash('sha256').update(manifest).digest('hex')}  ${basename(name)}\n`;

export async function readBody(file: FileHandle, { body, size }: Pick<Entry, 'body' | 'size'>): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await file.read(bytes, done, size - done, body + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes;
}

export function readHeader(file: FileHandle, at: number): TarHeader | undefined {
  const block = Buffer.alloc(BLOCK);
  return readSync(file.fd, block, 0, BLOCK, at) === BLOCK ? decodeHeader(block) : undefined;
}

/** Size of the object whose bytes begin at `body`; undefined if its header is not there. */
export function objectSize(file: FileHandle, sha256: string, body: number | undefined): number | undefined {
  const header = body === undefined ? undefined : readHeader(file, body - BLOCK);
  return header?.name === objectName(sha256) ? header.size : undefined;
}
