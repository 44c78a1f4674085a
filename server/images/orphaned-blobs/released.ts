import type { Stored } from '../transactions.ts';

/** Sweeps that look for the row of released bytes, because a commit may be decided late. */
const maxSweeps = 60;

/** Pending blobs above which no more are taken over; a read-only disk would otherwise collect all of them. */
const maxPending = 10_000;

export type ReleasedBlobs = ReturnType<typeof createReleasedBlobs>;

export function createReleasedBlobs() {
  /** Contents by id, with the number of sweeps left to look for their row. */
  const sweepsLeft = new Map<string, number>();

  return {
    isFull: () => sweepsLeft.size >= maxPending,

    add(images: Pick<Stored, 'id'>[]): void {
      for (const { id } of images) sweepsLeft.set(id, maxSweeps);
    },

    delete(ids: Iterable<string>): void {
      for (const id of ids) sweepsLeft.delete(id);
    },

    /** Counts a sweep that found no free row for the content, and forgets the content after the last one. */
    miss(id: string): void {
      const left = sweepsLeft.get(id) ?? 0;
      if (left > 1) sweepsLeft.set(id, left - 1);
      else sweepsLeft.delete(id);
    },

    *batches(size: number): Generator<string[]> {
      const ids = [...sweepsLeft.keys()];
      for (let offset = 0; offset < ids.length; offset += size) yield ids.slice(offset, offset + size);
    },
  };
}
