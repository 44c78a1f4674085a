import pLimit from 'p-limit';
import type { Image } from '../../../server/contract.ts';
import { ApiError, reasonOf } from '../../api/api-error.ts';

const AT_ONCE = 3;

export interface Outcome {
  /** ids of the images that no longer exist */
  readonly gone: ReadonlySet<string>;
  /** of these, the ones that were deleted before */
  readonly missing: ReadonlySet<string>;
  /** by id: why a deletion failed; empty if the server gave no reason */
  readonly problems: ReadonlyMap<string, string>;
}

/** Deletes three at a time. Stops once the session is over. @param remove deletes one image on the server */
export async function deleteAll(images: readonly Image[], remove: (id: string) => Promise<unknown>): Promise<Outcome> {
  const limit = pLimit(AT_ONCE);
  const gone = new Set<string>();
  const missing = new Set<string>();
  const problems = new Map<string, string>();
  let isOver = false;
  const removeOne = async ({ id }: Image): Promise<void> => {
    if (isOver) return;
    try {
      await remove(id);
      gone.add(id);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 401) isOver = true;
      else if (status !== 404) problems.set(id, reasonOf(error) ?? '');
      else {
        gone.add(id);
        missing.add(id);
      }
    }
  };
  await Promise.all(images.map((image) => limit(removeOne, image)));
  return { gone, missing, problems };
}
