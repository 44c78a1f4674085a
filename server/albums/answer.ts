import type { Config } from '../config/config.ts';
import type { Album, Image } from '../contract.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { findShown } from '../gallery/pages.ts';
import { imageAnswer, isOpen } from '../images/answer.ts';
import type { FoundAlbum } from './pages.ts';

/** How albums show images: origins of links, and what is left out. */
type Showing = Pick<Config, 'publicUrl' | 'cdnUrl' | 'stripLocation' | 'pageSize'>;

export const albumPath = (linkKey: string) => `/a/${linkKey}`;

/** An owner's images in the order of the ids, without missing ones. @param origin of links; '' for paths */
export async function imagesInOrder(
  { cdnUrl, stripLocation }: Showing,
  from: ClientDatabase,
  ownerId: string,
  ids: string[],
  origin: string,
): Promise<Image[]> {
  if (ids.length === 0) return [];
  const rows = await findShown(from, ownerId, ids);
  const answers = rows.map((row) => imageAnswer(row, origin && (cdnUrl ?? origin), stripLocation === 'on'));
  const found = new Map(answers.map((image) => [image.id, image]));
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
  // A card uses the covers' public links, which a hidden or expired image does not have.
  const images = new Map(found.filter(isOpen).map((image) => [image.id, image]));
  return albums.map(({ id, name, count, cover, ordinal, linkKey, views, createdAt, shown }) => ({
    id,
    name,
    count,
    covers: shown.flatMap((image) => images.get(image) ?? []),
    cover,
    position: ordinal,
    link: linkKey === null ? null : origin + albumPath(linkKey),
    views,
    created_at: createdAt.toISOString(),
  }));
}
