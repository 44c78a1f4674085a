import { readSync } from 'node:fs';
import { BLOCK, decodeHeader, padded } from './tar-header.ts';

/** An entry. `at` is the offset of its header, `body` of its bytes, `end` of the next entry. */
export type Entry = { kind: 'entry'; name: string; size: number; at: number; body: number; end: number };
/** Bytes that are no entry, left by damage or by an interrupted backup. */
export type Gap = { kind: 'gap'; at: number; end: number };

const OURS = /^(?:gallery-backup\.json|objects\/[0-9a-f]{64}|snapshots\/[\w:.-]+\/[\w.]+)$/;
/** Bytes read at once in the search for the next header. */
const STRIDE = 2 ** 20;

/**
 * Yields every entry. After damage it searches for the next header with the file's mark, also in users' bytes: users
 * cannot know the mark. Synchronous: a promise per header costs more than the read, in a file of a million images.
 */
export function* walkArchive(fd: number, fileSize: number, mark: Buffer): Generator<Entry | Gap> {
  const block = Buffer.alloc(BLOCK);
  for (let at = 0; at < fileSize; ) {
    const read = readSync(fd, block, 0, BLOCK, at);
    const entry = read === BLOCK ? entryAt(block, at, fileSize, mark) : undefined;
    if (entry) {
      yield entry;
      at = entry.end;
    } else {
      const { next, zeros } = findNext(fd, at, fileSize, mark);
      if (!zeros) yield { kind: 'gap', at, end: next };
      at = next;
    }
  }
}

function entryAt(block: Buffer, at: number, fileSize: number, mark: Buffer): Entry | undefined {
  const header = decodeHeader(block, mark);
  if (!header) return undefined;
  const body = at + BLOCK;
  const end = body + padded(header.size);
  return end <= fileSize ? { kind: 'entry', ...header, at, body, end } : undefined;
}

/** The next block from `from` on that is our header, or the file's end; and whether everything before it is zeros. */
function findNext(fd: number, from: number, fileSize: number, mark: Buffer): { next: number; zeros: boolean } {
  const chunk = Buffer.alloc(STRIDE);
  let zeros = true;
  for (let start = from; start < fileSize; start += STRIDE) {
    const read = readSync(fd, chunk, 0, STRIDE, start);
    for (let offset = 0; offset < read; offset += BLOCK) {
      const block = chunk.subarray(offset, Math.min(offset + BLOCK, read));
      if (block.every((byte) => byte === 0)) continue;
      const entry = block.length === BLOCK ? entryAt(block, start + offset, fileSize, mark) : undefined;
      if (entry && OURS.test(entry.name)) return { next: entry.at, zeros };
      zeros = false;
    }
  }
  return { next: fileSize, zeros };
}
