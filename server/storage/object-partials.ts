import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { validate as isUuid } from 'uuid';
import { StorageUnavailable } from '../errors.ts';
import { guarded } from './failures.ts';
import type { ObjectStore } from './object-store.ts';
import {
  type Counted,
  isSealedPiece,
  newPiece,
  newSealedPiece,
  type PartialFile,
  type Partials,
  rangesOf,
} from './partials.ts';
import { isDamage } from './sealed/damage.ts';
import type { Staging } from './staging.ts';
import { seals } from './storage.ts';

const atOnce = 16;

function ensureId(id: string): void {
  if (!isUuid(id)) throw new TypeError(`${JSON.stringify(id)} is no id of an upload`);
}

function keyOf(id: string, piece: string): string {
  ensureId(id);
  return `partials/${id}/${piece}.part`;
}

/** Treats plaintext in place of a sealed piece as a missing piece, which the client has to send again. */
function asLost(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

/** Collects the bytes until the next sync in a local file, which then becomes one object. */
function createPieceFile(staging: Staging) {
  const hash = createHash('sha256');
  let size = 0;
  let open: { path: string; file: FileHandle } | undefined;
  return {
    async write(bytes: Uint8Array): Promise<void> {
      open ??= await staging.create();
      await open.file.appendFile(bytes);
      hash.update(bytes);
      size += bytes.length;
    },
    /** @param commit called with the whole file; not called if nothing was written */
    async end(commit: (file: { path: string; size: number; sha256: string }) => Promise<void>): Promise<void> {
      if (!open) return;
      await open.file.close();
      await commit({ path: open.path, size, sha256: hash.digest('hex') });
      if (staging.isInUse(open.path)) await staging.drop(open.path);
      open = undefined;
    },
    async drop(): Promise<void> {
      if (!open) return;
      const { path, file } = open;
      open = undefined;
      // Already closed if the commit failed.
      await file.close().catch(() => undefined);
      await staging.drop(path);
    },
  };
}

/** @param list lists the stored pieces without wrappers around the objects, such as a fallback */
export function createObjectPartials(objects: ObjectStore, staging: Staging, list: ObjectStore['list']): Partials {
  async function openPartial({ id, received, pieces }: Counted): Promise<PartialFile> {
    ensureId(id);
    const all = [...pieces];
    let at = received;
    let from = received;
    let piece = createPieceFile(staging);

    async function sync(): Promise<string[]> {
      if (at === from) return [...all];
      const name = seals(objects) ? newSealedPiece(from) : newPiece(from);
      await piece.end((file) => objects.commit(file, keyOf(id, name)));
      piece = createPieceFile(staging);
      all.push(name);
      from = at;
      return [...all];
    }

    return {
      write: (bytes) =>
        guarded(async () => {
          await piece.write(bytes);
          at += bytes.length;
        }),
      sync: () => guarded(sync),
      close: () => guarded(() => piece.drop()),
    };
  }

  async function isThere(upload: Counted, which: 'all' | 'last' = 'all'): Promise<boolean> {
    const ranges = rangesOf(upload).slice(which === 'last' ? -1 : 0);
    for (let at = 0; at < ranges.length; at += atOnce) {
      const found = await Promise.all(
        ranges.slice(at, at + atOnce).map(async ({ piece, length }) => {
          const stored = await objects.stat(keyOf(upload.id, piece), isSealedPiece(piece)).catch(asLost);
          return stored !== undefined && stored.size >= length;
        }),
      );
      if (found.includes(false)) return false;
    }
    return ranges.length > 0 || upload.received === 0;
  }

  async function* chunksOf(upload: Counted): AsyncGenerator<Buffer> {
    for (const { piece, length } of rangesOf(upload)) {
      const key = keyOf(upload.id, piece);
      const stream = await objects.read(key, { start: 0, end: length - 1 }, isSealedPiece(piece));
      if (!stream) throw Object.assign(new StorageUnavailable(), { cause: new Error(`${key} has gone`) });
      yield* stream;
    }
  }

  return {
    open: openPartial,
    isThere,
    read: async (upload) => Readable.from(chunksOf(upload), { objectMode: false, highWaterMark: 2 ** 18 }),
    async remove(id) {
      ensureId(id);
      for await (const { key } of list('partials', id)) await objects.remove(key);
    },
    async ids() {
      const ids = new Set<string>();
      for await (const { key } of list('partials')) ids.add(key.split('/')[1] ?? '');
      return ids;
    },
    // Buckets do not report free space.
    room: async () => Number.POSITIVE_INFINITY,
  };
}
