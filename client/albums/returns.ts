/** Where removed pictures go back to. */
import type { Album, Image } from '../../server/contract.ts';
import type { KeptAlbumPage } from './album-pages.ts';

export interface Returns {
  /** Neighbouring pictures, in their order, and the picture before which they were; null for the end. It may be of a later group. */
  readonly groups: readonly { readonly ids: readonly string[]; readonly before: string | null }[];
  /** The album's cover, if it is among them. */
  readonly cover: string | null;
}

type Page = Pick<KeptAlbumPage, 'images' | 'page' | 'totalPages'>;
type PageOf = (page: number) => Promise<Pick<KeptAlbumPage, 'images'>>;

async function groupsOn({ images, page, totalPages }: Page, ids: ReadonlySet<string>, pageOf: PageOf) {
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
  return groups;
}

/** @param pages the known ones, in order: pictures of the others go back to the end of the album */
export async function placesOf(
  { cover }: Pick<Album, 'cover'>,
  pages: readonly Page[],
  removed: readonly Pick<Image, 'id'>[],
  pageOf: PageOf,
): Promise<Returns> {
  const ids = new Set(removed.map(({ id }) => id));
  const groups = (await Promise.all(pages.map((page) => groupsOn(page, ids, pageOf)))).flat();
  const placed = new Set(groups.flatMap((group) => group.ids));
  const others = [...ids].filter((id) => !placed.has(id));
  if (others.length > 0) groups.push({ ids: others, before: null });
  return { groups, cover: cover !== null && ids.has(cover) ? cover : null };
}
