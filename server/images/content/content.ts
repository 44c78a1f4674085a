import type { ImageRow, NewImageRow } from '../../../drizzle/schema.ts';
import { contentIdOf } from '../keys.ts';

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
  | 'deleteHash'
  | 'waiting';

/** The columns that follow from the bytes, equal for all images that share them. */
export type Content = Omit<NewImageRow, Identity | 'contentId'> & { contentId: string };

export function contentOf(row: ImageRow): Content {
  const { id, ownerId, linkKey, uploadKey, filename, description, searchName, nameKey, uploadedAt, ...rest } = row;
  const { expiresAt, deleteHash, waiting, ...content } = rest;
  // An administrator hides bytes, but an image waits on its own.
  const shown = waiting ? { hiddenAt: null, hiddenReason: null, hiddenLegal: false } : {};
  return { ...content, ...shown, contentId: contentIdOf(row) };
}
