/** Where one image's bytes stand in the storage: images of one owner with the same bytes share them (`contentId`). */
import type { ImageRow } from '../../drizzle/schema.ts';

type Named = { id: string; contentId?: string | null };
type Stored = Named & { extension: string };

export const contentIdOf = ({ id, contentId }: Named): string => contentId ?? id;

/** Spread over 256 folders by the id's random end. */
const placeOf = (image: Named) => {
  const id = contentIdOf(image);
  return `${id.slice(-2)}/${id}`;
};

export const originalKey = (image: Stored) => `originals/${placeOf(image)}.${image.extension}`;
export const thumbnailKey = (image: Named) => `thumbnails/${placeOf(image)}.webp`;
export const screenKey = (image: Named) => `screens/${placeOf(image)}.webp`;

export const thumbnailAvifKey = (image: Named) => `thumbnails/${placeOf(image)}.avif`;
export const screenAvifKey = (image: Named) => `screens/${placeOf(image)}.avif`;

/** Where something of an image stands, or may stand. */
export const allKeys = (image: Stored): string[] => [
  originalKey(image),
  thumbnailKey(image),
  screenKey(image),
  thumbnailAvifKey(image),
  screenAvifKey(image),
];

/** What a row says of an object; `sha256` of its plaintext in hex, null where it does not say; `sealed`: plain bytes are damage. */
export type Said = { key: string; sha256: string | null; sealed: boolean };

/** All of them, the original first. */
export const saidOf = (row: ImageRow): Said[] => [
  { key: originalKey(row), sha256: row.sha256, sealed: row.sealed },
  { key: thumbnailKey(row), sha256: row.thumbnailSha256, sealed: row.renditionsSealed },
  { key: screenKey(row), sha256: row.screenSha256, sealed: row.renditionsSealed },
  { key: thumbnailAvifKey(row), sha256: row.thumbnailAvifSha256, sealed: row.renditionsSealed },
  { key: screenAvifKey(row), sha256: row.screenAvifSha256, sealed: row.renditionsSealed },
];

/** What stands there from the upload's answer on; the other renditions come, and come again, when they are asked for. */
export const firstKeys = (image: Stored & { hasScreen: boolean }): string[] => [
  originalKey(image),
  thumbnailKey(image),
  ...(image.hasScreen ? [screenKey(image)] : []),
];
