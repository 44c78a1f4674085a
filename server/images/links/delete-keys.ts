/** Keys of delete links, `/d/<key>`. Derived from the image's id, so that an answer that got lost can be requested again. */
import { createHmac, hkdfSync } from 'node:crypto';
import type { ImageRow } from '../../../drizzle/schema.ts';
import { sha256Of } from '../../lib/sha256.ts';

export const deletePath = (key: string) => `/d/${key}`;

/** The form in which the database stores a key. */
export const hashOfDeleteKey = (key: string): string => sha256Of(Buffer.from(key));

export type DeleteKeys = {
  /** @returns the key of a new image: 128 bits, base64url */
  keyOf(imageId: string): string;
  /** @returns the key of a stored image; undefined if it has no delete link, or one made with an earlier secret */
  presentKeyOf(image: Pick<ImageRow, 'id' | 'deleteHash'>): string | undefined;
};

/** @param secret shared by all servers, kept across restarts */
export function createDeleteKeys(secret: string): DeleteKeys {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'gallery, delete links', 32));
  const keyOf = (imageId: string) =>
    createHmac('sha256', derived).update(imageId).digest().subarray(0, 16).toString('base64url');
  return {
    keyOf,
    presentKeyOf({ id, deleteHash }) {
      const key = keyOf(id);
      return deleteHash === hashOfDeleteKey(key) ? key : undefined;
    },
  };
}
