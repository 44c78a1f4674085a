import type { FastifyRequest } from 'fastify';
import type { Album, Image } from '../contract.ts';
import type { FoundAlbum } from './pages.ts';

/** What albums have from the images and their links; handed in, since features do not import each other. */
export type Showing = {
  pageSize: number;
  /** The origin of the links handed out. */
  originOf: (request: FastifyRequest) => string;
  /** An owner's images by their ids, in any order; those that are gone are left out. */
  showImages: (ownerId: string, ids: string[], origin: string) => Promise<Image[]>;
};

export const albumPath = (linkKey: string) => `/a/${linkKey}`;

/** In the order of the ids. */
export async function imagesInOrder(
  { showImages }: Pick<Showing, 'showImages'>,
  ownerId: string,
  ids: string[],
  origin: string,
): Promise<Image[]> {
  if (ids.length === 0) return [];
  const found = new Map((await showImages(ownerId, ids, origin)).map((image) => [image.id, image]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function albumAnswers(
  showing: Showing,
  ownerId: string,
  albums: FoundAlbum[],
  origin: string,
): Promise<Album[]> {
  const ids = [...new Set(albums.flatMap(({ shown }) => shown))];
  const images = new Map((await imagesInOrder(showing, ownerId, ids, origin)).map((image) => [image.id, image]));
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
