import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './durable.ts';
import { nothingThere } from './failures.ts';

type Options = {
  /** The folder it goes to, such as `2026-11-21`. */
  day: string;
  /** ms since 1970: a file written since then stays where it is. */
  olderThan: number;
  /** How a file gets its second name. */
  linkFile?: typeof link;
};

/**
 * Moves a file aside, keeping its path below the day's folder. Never over another file.
 * @returns its new path, relative to the root; undefined where it has been written or removed since
 * @throws what the file system says, such as EXDEV for one on another disk; then it is where it was
 */
export async function moveToLostAndFound(
  root: string,
  key: string,
  { day, olderThan, linkFile = link }: Options,
): Promise<string | undefined> {
  const from = join(root, key);
  const info = await stat(from).catch(() => undefined);
  if (!info?.isFile() || info.mtimeMs >= olderThan) return undefined;
  for (const name of [key, `${key}.${randomUUID()}`]) {
    const place = `lost-and-found/${day}/${name}`;
    const to = join(root, place);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    if (!(await moveAside(from, to, linkFile))) continue;
    await syncFolder(dirname(to));
    await syncFolder(dirname(from));
    return place;
  }
  return undefined;
}

/** File systems that know no second name for a file: exFAT, SMB, some of FUSE. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** @returns whether it stands there now: not where something stood there before */
async function moveAside(from: string, to: string, linkFile: typeof link): Promise<boolean> {
  try {
    await linkFile(from, to);
    await rm(from, { force: true });
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!withoutLinks.has(code)) throw error;
  }
  // Nobody else writes below this day's folder but another doctor.
  const stands = await lstat(to).catch(nothingThere);
  if (stands) return false;
  await rename(from, to);
  return true;
}
