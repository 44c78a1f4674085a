/** Where removed pictures go back to. */
import type { Image } from '../../server/contract.ts';
import type { KeptAlbumPage } from './album-pages.ts';

export interface Returns {
  /** Neighbouring pictures, in their order, and the picture before which they were; null for the end. */
  readonly groups: readonly { readonly ids: readonly string[]; readonly before: string | null }[];
  /** The album's cover, if it is among them. */
  readonly cover: string | null;
}

/** @returns undefined if some of the images are not on this page, so that their places are not known */
export async function placesOf(
  { images, page, totalPages, album }: Pick<KeptAlbumPage, 'images' | 'page' | 'totalPages' | 'album'>,
  removed: readonly Pick<Image, 'id'>[],
  pageOf: (page: number) => Promise<Pick<KeptAlbumPage, 'images'>>,
): Promise<Returns | undefined> {
  const ids = new Set(removed.map(({ id }) => id));
  if (images.filter(({ id }) => ids.has(id)).length < ids.size) return undefined;
  const groups: { ids: string[]; before: string | null }[] = [];
  let run: string[] = [];
  for (const { id } of images) {
    if (ids.has(id)) run.push(id);
    else if (run.length > 0) {
      groups.push({ ids: run, before: id });
      run = [];
    }
  }
  if (run.length > 0) {
    const next = page < totalPages ? (await pageOf(page + 1)).images[0]?.id : undefined;
    groups.push({ ids: run, before: next ?? null });
  }
  return { groups, cover: album.cover !== null && ids.has(album.cover) ? album.cover : null };
}
