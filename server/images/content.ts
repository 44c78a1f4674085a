import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { contentIdOf } from './keys.ts';

/** Of an image's row, what makes it this image and no other. */
type Identity =
  | 'id'
  | 'ownerId'
  | 'linkKey'
  | 'uploadKey'
  | 'filename'
  | 'description'
  | 'searchName'
  | 'nameKey'
  | 'uploadedAt';

/** The columns that follow from the bytes: images that share these say the same in all of them. */
export type Content = Omit<NewImageRow, Identity | 'contentId'> & { contentId: string };

export function contentOf(row: ImageRow): Content {
  const { id, ownerId, linkKey, uploadKey, filename, description, searchName, nameKey, uploadedAt, ...content } = row;
  return { ...content, contentId: contentIdOf(row) };
}
