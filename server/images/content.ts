import type { ImageRow, NewImageRow } from '../../drizzle/schema.ts';
import { contentIdOf } from './keys.ts';

type Identity =
  | 'id'
  | 'ownerId'
  | 'linkKey'
  | 'uploadKey'
  | 'filename'
  | 'description'
  | 'searchName'
  | 'nameKey'
  | 'uploadedAt'
  | 'expiresAt'
  | 'deleteHash';

/** The columns that follow from the bytes, equal for all images that share them. */
export type Content = Omit<NewImageRow, Identity | 'contentId'> & { contentId: string };

export function contentOf(row: ImageRow): Content {
  const { id, ownerId, linkKey, uploadKey, filename, description, searchName, nameKey, uploadedAt, ...rest } = row;
  const { expiresAt, deleteHash, ...content } = rest;
  return { ...content, contentId: contentIdOf(row) };
}
