import type { FastifyRequest } from 'fastify';
import type { Album, Image } from '../contract.ts';
import type { ClientDatabase } from '../database/connect.ts';
import type { FoundAlbum } from './pages.ts';

/** What albums need of images and links; passed in, because features do not import each other. */
export type Showing = {
  pageSize: number;
  /** The origin for links. */
  originOf: (request: FastifyRequest) => string;
  /** An owner's images by id, in any order, read from this database; deleted ones are left out. */
  showImages: (from: ClientDatabase, ownerId: string, ids: string[], origin: string) => Promise<Image[]>;
};

export const albumPath = (linkKey: string) => `/a/${linkKey}`;

/** The images in the order of the ids. */
export async function imagesInOrder(
  { showImages }: Pick<Showing, 'showImages'>,
  from: ClientDatabase,
  ownerId: string,
  ids: string[],
  origin: string,
): Promise<Image[]> {
  if (ids.length === 0) return [];
  const found = new Map((await showImages(from, ownerId, ids, origin)).map((image) => [image.id, image]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function albumAnswers(
  showing: Showing,
  from: ClientDatabase,
  ownerId: string,
  albums: FoundAlbum[],
  origin: string,
): Promise<Album[]> {
  const ids = [...new Set(albums.flatMap(({ shown }) => shown))];
  const found = await imagesInOrder(showing, from, ownerId, ids, origin);
  // A card uses the covers' public links, which a hidden image does not have.
  const images = new Map(found.filter(({ hidden }) => !hidden).map((image) => [image.id, image]));
  return albums.map(({ id, name, count, cover, place, linkKey, createdAt, shown }) => ({
    id,
    name,
    count,
    covers: shown.flatMap((image) => images.get(image) ?? []),
    cover,
    position: place,
    link: linkKey === null ? null : origin + albumPath(linkKey),
    created_at: createdAt.toISOString(),
  }));
}
