/** Link cache, valid while database notifications report every change. */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { ByteSource, WholeBytes } from '../../storage/byte-source.ts';
import { ENDED, type Ended } from '../expiry/expiry.ts';
import { createLinkCache, type LinkCache } from './link-cache.ts';

/** A rendition that is not in memory is shared by concurrent requests and not cached. */
type Kept = { row: ImageRow | Ended } | Rendition<ByteSource>;

/** @property end of its image, ms since 1970 (expiry/expiry.ts); checked before the bytes are sent */
export type Rendition<T extends ByteSource> = { rendition: T; end: number };

/** Bytes in memory, with overhead. */
const sizeOfRendition = (bytes: number) => bytes + 4_000;

const isWhole = (kept: Kept): kept is Rendition<WholeBytes> => 'rendition' in kept && 'bytes' in kept.rendition;

export type CachedLinks = ReturnType<typeof createCachedLinks>;

type Notifications = { channel: string; onNotification: (payload: string) => void; onGap: () => void };
type Parts = { size: number; subscribe: (notifications: Notifications) => { isLive(): boolean } };

/** The channel of migrations/*_links_told.sql, and its payload for all links. */
const channel = 'gallery_links';
const all = '*';

export function createCachedLinks({ size, subscribe }: Parts) {
  const cache: LinkCache<Kept> = createLinkCache({ size, isLive: () => notifications.isLive() });
  const { forget, forgetAll, get, fill, canKeep, figures } = cache;
  const notifications = subscribe({
    channel,
    onNotification(payload) {
      if (payload === all) forgetAll();
      else for (const linkKey of payload.split(' ')) forget(linkKey);
    },
    onGap: forgetAll,
  });

  return {
    forget,
    forgetAll,
    figures: () => ({ ...figures(), isLive: notifications.isLive() }),

    async row(
      linkKey: string,
      find: () => Promise<ImageRow | Ended | undefined>,
    ): Promise<ImageRow | Ended | undefined> {
      const kept = get(linkKey);
      if (kept && 'row' in kept) return kept.row;
      const found = await fill(linkKey, async () => {
        const row = await find();
        return row && { value: { row }, size: 1_000 + 2 * (row === ENDED ? 0 : JSON.stringify(row).length) };
      });
      return found && 'row' in found ? found.row : undefined;
    },

    canKeepRendition: (bytes: number): boolean => canKeep(sizeOfRendition(bytes)),

    /** @param path `<key>/<name>`, as in the link */
    rendition(path: string): Rendition<WholeBytes> | undefined {
      const kept = get(path);
      return kept && isWhole(kept) ? kept : undefined;
    },

    /** @param find runs once for concurrent requests; bytes in memory are cached */
    async fillRendition(
      path: string,
      find: () => Promise<Rendition<ByteSource>>,
    ): Promise<Rendition<ByteSource> | undefined> {
      const found = await fill(path, async () => {
        const value = await find();
        return { value, ...(isWhole(value) && { size: sizeOfRendition(value.rendition.size) }) };
      });
      return found && 'rendition' in found ? found : undefined;
    },
  };
}
