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

/** What stands there from the upload's answer on; the other renditions come, and come again, when they are asked for. */
export const firstKeys = (image: Stored & { hasScreen: boolean }): string[] => [
  originalKey(image),
  thumbnailKey(image),
  ...(image.hasScreen ? [screenKey(image)] : []),
];
