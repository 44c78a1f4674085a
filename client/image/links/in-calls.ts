import type { Image, RotatedLinks } from '../../../server/contract.ts';

/** The server's limit for one call. */
const AT_ONCE = 100;

export interface Replaced {
  readonly images: readonly Image[];
  /** Why the rest keeps its links; undefined if all calls succeeded. */
  readonly error: unknown;
}

/** Makes one call after another, and stops at the first failure. */
export async function inCalls(
  ids: readonly string[],
  rotate: (ids: readonly string[]) => Promise<RotatedLinks>,
): Promise<Replaced> {
  const images: Image[] = [];
  try {
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      images.push(...(await rotate(ids.slice(from, from + AT_ONCE))).images);
    }
  } catch (error) {
    return { images, error };
  }
  return { images, error: undefined };
}
