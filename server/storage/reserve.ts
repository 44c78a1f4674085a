/**
 * Space on a disk that uploads leave free. Postgres stops where it cannot write, and with it logins and deletions, which are
 * what makes room again; so uploads stop first.
 */
import { statfs } from 'node:fs/promises';
import { NoSpace } from '../errors.ts';

type Disk = { bavail: number; blocks: number; bsize: number };

export type Reserve = {
  /**
   * Whether an upload that announces so many bytes may begin. An announcement holds nothing: anyone can announce all that is
   * free and send none of it.
   * @throws NoSpace where they would come out of the reserve
   */
  admit(bytes: number): Promise<void>;
  /**
   * Counts bytes of an upload before they are written, until the disk's next answer includes them.
   * @throws NoSpace where the reserve is touched
   */
  write(bytes: number): Promise<void>;
  /** Bytes that are free beside the reserve; below zero where it is touched. */
  room(): Promise<number>;
};

/** Twice the write-ahead log (database/embedded/settings.ts); of a small disk, a tenth. */
const RESERVE = 512 * 2 ** 20;
const SHARE = 0.1;
/** Milliseconds for which an answer of the disk is believed. */
const LASTS = 1000;

/** For a database that is elsewhere. */
export const noReserve: Reserve = {
  admit: async () => {},
  write: async () => {},
  room: async () => Number.POSITIVE_INFINITY,
};

/** @param folder on the disk; where the disk does not answer, nothing is refused */
export function createReserve(
  folder: string,
  look: (folder: string) => Promise<Disk> = (path) => statfs(path),
  now: () => number = () => performance.now(),
): Reserve {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<number> = Promise.resolve(Number.POSITIVE_INFINITY);
  /** Bytes since the disk was asked. */
  let written = 0;

  const ask = () =>
    look(folder).then(
      ({ bavail, blocks, bsize }) => bavail * bsize - Math.min(RESERVE, blocks * bsize * SHARE),
      () => Number.POSITIVE_INFINITY,
    );

  async function room(): Promise<number> {
    if (now() - asked >= LASTS) {
      asked = now();
      written = 0;
      answer = ask();
    }
    return (await answer) - written;
  }

  return {
    room,
    async admit(bytes) {
      const left = await room();
      if (left < bytes || left <= 0) throw new NoSpace();
    },
    async write(bytes) {
      if ((await room()) < bytes) throw new NoSpace();
      written += bytes;
    },
  };
}
