/** Appends a snapshot to a backup file: objects, then the manifest that names them. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { sha256Of } from '../../lib/sha256.ts';
import { type Manifest, manifestName, objectName, type Part, sealedManifestName, sealName } from '../manifest.ts';
import type { RowSeals } from '../sealed-rows.ts';
import type { EntryWriter } from './entry-writer.ts';
import { createHashIndex, type HashIndex } from './hash-index.ts';
import { objectSize, sealOf } from './survey.ts';

export type Stored = { sha256: string; size: number };

export type ArchiveWriter = ReturnType<typeof createArchiveWriter>;

type Options = {
  /** Offset of the bytes of an object that the file held before. */
  bodyOf: HashIndex['get'];
  /** Seals rows and manifests; if missing, they are plain. */
  seals?: RowSeals | undefined;
};

export function createArchiveWriter(file: FileHandle, entries: EntryWriter, { bodyOf, seals }: Options) {
  const objects = createObjectWriter(file, entries, bodyOf);
  return {
    ...objects,

    /** Stores rows or file lists, sealed if the file's rows are sealed. */
    async putPart(bytes: Buffer): Promise<Omit<Part, 'lines'>> {
      if (!seals) return objects.putBytes(bytes);
      const plain = { sha256: sha256Of(bytes), size: bytes.length };
      const before = seals.before(plain.sha256);
      if (before && objects.sizeOf(before.sha256) === before.size) return { ...plain, sealed: before };
      const { beginning, rest } = seals.part(plain.sha256, bytes);
      return { ...plain, sealed: { beginning, ...(await objects.putBytes(rest)) } };
    },

    /** Completes the snapshot: syncs its bytes to disk before its manifest, then the manifest. */
    async seal(manifest: Manifest): Promise<void> {
      const { time } = manifest;
      const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
      const [name, bytes] = seals ? [sealedManifestName(time), seals.manifest(time, text)] : [manifestName(time), text];
      await entries.sync();
      await entries.put(name, bytes);
      await entries.put(sealName(time), Buffer.from(sealOf(bytes, name)));
      await entries.end();
    },

    /** Objects and bytes added so far; the bytes include headers and manifests. */
    added: () => ({ objects: objects.count(), bytes: entries.written() }),
  };
}

function createObjectWriter(file: FileHandle, entries: EntryWriter, bodyOf: HashIndex['get']) {
  const own = createHashIndex();
  let count = 0;
  const find = (sha256: string) => own.get(sha256) ?? bodyOf(sha256);

  async function addOnce(sha256: string, write: (name: string) => Promise<void>): Promise<void> {
    if (find(sha256) !== undefined) return;
    own.set(sha256, entries.body());
    count += 1;
    await write(objectName(sha256));
  }

  return {
    count: () => count,

    sizeOf: (sha256: string) => objectSize(file, sha256, find(sha256)),

    /** Stores the bytes under their hash, unless the file already holds them. */
    async putObject(source: AsyncIterable<Uint8Array>): Promise<Stored> {
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of source) {
        hash.update(chunk);
        await entries.writeBody(chunk, size);
        size += chunk.length;
      }
      const sha256 = hash.digest('hex');
      await addOnce(sha256, (name) => entries.complete(name, size));
      return { sha256, size };
    },

    async putBytes(bytes: Uint8Array): Promise<Stored> {
      const sha256 = sha256Of(bytes);
      await addOnce(sha256, (name) => entries.put(name, bytes));
      return { sha256, size: bytes.length };
    },
  };
}
