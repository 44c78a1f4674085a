import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './durable.ts';

type Options = {
  /** The folder it goes to, such as `2026-11-21`. */
  day: string;
  /** ms since 1970: a file written since then stays where it is. */
  olderThan: number;
};

/**
 * Moves a file aside, keeping its path below the day's folder. Never over another file: it is linked there first.
 * @returns its new path, relative to the root; undefined where it has been written or removed since
 */
export async function moveToLostAndFound(
  root: string,
  key: string,
  { day, olderThan }: Options,
): Promise<string | undefined> {
  const from = join(root, key);
  const info = await stat(from).catch(() => undefined);
  if (!info?.isFile() || info.mtimeMs >= olderThan) return undefined;
  for (const name of [key, `${key}.${randomUUID()}`]) {
    const place = `lost-and-found/${day}/${name}`;
    const to = join(root, place);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    try {
      await link(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    await syncFolder(dirname(to));
    await rm(from, { force: true });
    return place;
  }
  return undefined;
}
