/** Where one image's bytes stand in the storage. Spread over 256 folders by the id's random end. */
type Stored = { id: string; extension: string };

const shard = (id: string) => id.slice(-2);

export const originalKey = ({ id, extension }: Stored) => `originals/${shard(id)}/${id}.${extension}`;
export const thumbnailKey = ({ id }: Pick<Stored, 'id'>) => `thumbnails/${shard(id)}/${id}.webp`;
export const screenKey = ({ id }: Pick<Stored, 'id'>) => `screens/${shard(id)}/${id}.webp`;

export function allKeys(image: Stored & { hasScreen: boolean }): string[] {
  return [originalKey(image), thumbnailKey(image), ...(image.hasScreen ? [screenKey(image)] : [])];
}
