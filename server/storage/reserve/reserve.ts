/** Postgres stops if it cannot write, and with it logins and deletions, which free space; so uploads stop first. */
import { statfs } from 'node:fs/promises';
import { NoSpace } from '../../errors.ts';

type Disk = { bavail: number; blocks: number; bsize: number };

export type Reserve = {
  /** Checks that an upload may begin; reserves nothing, since anyone can announce bytes. @throws NoSpace */
  admit(bytes: number): Promise<void>;
  /** Counts bytes before they are written, until the next check of the disk includes them. @throws NoSpace */
  write(bytes: number): Promise<void>;
  /** Free bytes beyond the reserve; negative if the reserve is in use. */
  room(): Promise<number>;
};

/** Twice the write-ahead log (database/embedded/settings.ts); a tenth of a small disk. */
const RESERVE = 512 * 2 ** 20;
const SHARE = 0.1;
/** Milliseconds that a check of the disk stays valid. */
const LASTS = 1000;

/** For a database on another machine. */
export const noReserve: Reserve = {
  admit: async () => {},
  write: async () => {},
  room: async () => Number.POSITIVE_INFINITY,
};

/** @param folder on the disk; if the disk cannot be checked, nothing is refused */
export function createReserve(
  folder: string,
  look: (folder: string) => Promise<Disk> = (path) => statfs(path),
  now: () => number = () => performance.now(),
): Reserve {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<number> = Promise.resolve(Number.POSITIVE_INFINITY);
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
