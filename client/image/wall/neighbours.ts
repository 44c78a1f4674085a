import type { Image } from '../../../server/contract.ts';

/** The image to show in place of a deleted one: the next, else the one before, else none. */
export function neighbourOf(images: readonly Image[], id: string): Image | undefined {
  const index = images.findIndex((image) => image.id === id);
  return index < 0 ? undefined : (images[index + 1] ?? images[index - 1]);
}

/** The images before and after one in its list. */
export function around(images: readonly Image[], id: string) {
  const index = images.findIndex((image) => image.id === id);
  return {
    index,
    current: images[index],
    previous: images[index - 1],
    next: index < 0 ? undefined : images[index + 1],
  };
}
