import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './durable.ts';
import { nothingThere } from './failures.ts';

type Options = {
  day: string;
  /** ms since 1970: files written since then stay. */
  olderThan: number;
  /** Replaced in tests. */
  linkFile?: typeof link;
};

/**
 * Moves a file below the day's folder, never over another one.
 * @returns its new path, relative to the root; undefined if it was written or removed since
 * @throws file system errors, such as EXDEV; the file then stays
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
    const newKey = `lost-and-found/${day}/${name}`;
    const to = join(root, newKey);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    if (!(await moveAside(from, to, linkFile))) continue;
    await syncFolder(dirname(to));
    await syncFolder(dirname(from));
    return newKey;
  }
  return undefined;
}

/** From file systems without hard links: exFAT, SMB, some FUSE. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

/** @returns whether the file was moved: not if the target exists */
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
  // Only another doctor run writes below this day's folder.
  const existing = await lstat(to).catch(nothingThere);
  if (existing) return false;
  await rename(from, to);
  return true;
}
