/** What links answer, kept in memory for as long as the database tells of every change to it. */
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { ByteSource } from '../../storage/byte-source.ts';
import { createLinkCache, type LinkCache } from './link-cache.ts';

/** Bytes of a rendition, checked when they were read, with their validator in its quotes. */
export type CachedRendition = { bytes: Buffer; etag: string; contentType: string };

/** A source without its bytes is shared by who asks for it at the same time, and not kept. */
type Kept = { row: ImageRow } | { rendition: CachedRendition } | { source: ByteSource };

/** Bytes in memory. */
const sizeOfRendition = (bytes: number) => bytes + 4_000;

export type CachedLinks = ReturnType<typeof createCachedLinks>;

type Notifications = { channel: string; onNotice: (payload: string) => void; onGap: () => void };
type Parts = { size: number; subscribe: (notifications: Notifications) => { isLive(): boolean } };

/** The channel of migrations/*_links_told.sql, and what stands there for all links. */
const channel = 'gallery_links';
const all = '*';

export function createCachedLinks({ size, subscribe }: Parts) {
  const cache: LinkCache<Kept> = createLinkCache({ size, isLive: () => notifications.isLive() });
  const { forget, forgetAll, get, fill, canKeep, figures } = cache;
  const notifications = subscribe({
    channel,
    onNotice(payload) {
      if (payload === all) forgetAll();
      else for (const linkKey of payload.split(' ')) forget(linkKey);
    },
    onGap: forgetAll,
  });

  return {
    forget,
    forgetAll,
    figures: () => ({ ...figures(), isLive: notifications.isLive() }),
    isLive: () => notifications.isLive(),

    /** @param find asks the database */
    async row(linkKey: string, find: () => Promise<ImageRow | undefined>): Promise<ImageRow | undefined> {
      const kept = get(linkKey);
      if (kept && 'row' in kept) return kept.row;
      const found = await fill(linkKey, async () => {
        const row = await find();
        return row && { value: { row }, size: 1_000 + 2 * JSON.stringify(row).length };
      });
      return found && 'row' in found ? found.row : undefined;
    },

    /** @param path `<key>/<name>`, as in the link */
    rendition(path: string): CachedRendition | undefined {
      const kept = get(path);
      return kept && 'rendition' in kept ? kept.rendition : undefined;
    },

    /** Whether a rendition of so many bytes would be kept now. */
    canKeepRendition: (bytes: number): boolean => canKeep(sizeOfRendition(bytes)),

    /** @param find is called once for all who ask meanwhile; it answers a source for what is not to be kept */
    async keepRendition(
      path: string,
      find: () => Promise<CachedRendition | ByteSource>,
    ): Promise<CachedRendition | ByteSource | undefined> {
      const found = await fill(path, async () => {
        const rendition = await find();
        if ('open' in rendition) return { value: { source: rendition } };
        return { value: { rendition }, size: sizeOfRendition(rendition.bytes.length) };
      });
      if (!found || 'row' in found) return undefined;
      return 'source' in found ? found.source : found.rendition;
    },
  };
}
