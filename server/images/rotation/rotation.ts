import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import type { Reach } from '../../database/statements/access.ts';
import { Undecided } from '../transactions.ts';
import { rotateLinks } from './queries.ts';

/** In one call: a notification with more keys would empty the link caches of all servers (migrations/0005_links_told.sql). */
export const MAX_ROTATED = 100;

type Parts = {
  db: Database;
  forget: (linkKey: string) => void;
  forgetAll: () => void;
};

export type Rotation = ReturnType<typeof createRotation>;

export function createRotation({ db, forget, forgetAll }: Parts) {
  /**
   * Gives images new links. The former links answer 404 afterwards, on this server before the call is answered. Delete
   * links stay valid. @returns the images that could be reached, in any order
   */
  return async function rotation(reach: Reach, ids: readonly string[]): Promise<ImageRow[]> {
    try {
      const { rows, formerKeys } = await rotateLinks(db, reach, ids);
      for (const key of formerKeys) forget(key);
      return rows;
    } catch (error) {
      if (error instanceof Undecided) forgetAll();
      throw error;
    }
  };
}
