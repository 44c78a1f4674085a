/** Storage keys of an image. Images of one owner with the same bytes share them (`contentId`). */
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

export const allKeys = (image: Stored): string[] => [
  originalKey(image),
  thumbnailKey(image),
  screenKey(image),
  thumbnailAvifKey(image),
  screenAvifKey(image),
];

/** An object as its row describes it: `sha256` of the plaintext in hex, null if unknown; `sealed`: plain bytes are damage. */
export type ExpectedObject = { key: string; sha256: string | null; sealed: boolean };

export const expectedObjects = (row: ImageRow): ExpectedObject[] => [
  { key: originalKey(row), sha256: row.sha256, sealed: row.sealed },
  { key: thumbnailKey(row), sha256: row.thumbnailSha256, sealed: row.renditionsSealed },
  { key: screenKey(row), sha256: row.screenSha256, sealed: row.renditionsSealed },
  { key: thumbnailAvifKey(row), sha256: row.thumbnailAvifSha256, sealed: row.renditionsSealed },
  { key: screenAvifKey(row), sha256: row.screenAvifSha256, sealed: row.renditionsSealed },
];
