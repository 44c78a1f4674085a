/** Where one image's bytes stand in the storage: images of one owner with the same bytes share them (`contentId`). */
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

export function allKeys(image: Stored & { hasScreen: boolean }): string[] {
  return [originalKey(image), thumbnailKey(image), ...(image.hasScreen ? [screenKey(image)] : [])];
}
