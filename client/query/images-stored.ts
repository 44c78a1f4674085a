import { imagesKey, usageKey } from './keys.ts';
import { invalidate } from './queries.ts';

/** Many files end one after another: lists and usage are loaded once for all that end within this time. */
const WITHIN_MS = 500;

/** Invalidates what an upload changes. @param images how many it stored */
export function invalidateImages(images: number): void {
  if (images > 0) invalidate(imagesKey, WITHIN_MS);
  invalidate(usageKey, WITHIN_MS);
}

/** Wraps an upload call, so that it invalidates what it changed. */
export function invalidating<Args extends unknown[], Answer extends { readonly images: readonly unknown[] }>(
  send: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      const answer = await send(...args);
      invalidateImages(answer.images.length);
      return answer;
    } catch (error) {
      // The usage shown here is outdated, for example after uploads in another window.
      if ((error as { code?: unknown }).code === 'QUOTA_EXCEEDED') invalidateImages(0);
      throw error;
    }
  };
}
