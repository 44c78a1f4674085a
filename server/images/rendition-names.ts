/** The renditions of an image, by what their links are called. */
import type { ImageRow } from '../../drizzle/schema.ts';
import { screenAvifKey, screenKey, thumbnailAvifKey, thumbnailKey } from './keys.ts';

type Kind = {
  /** The last part of its link. */
  file: string;
  contentType: string;
  keyOf: (row: ImageRow) => string;
  /** The column of its SHA-256. */
  digest: 'thumbnailSha256' | 'screenSha256' | 'thumbnailAvifSha256' | 'screenAvifSha256';
};

export const renditions = {
  thumbnail: { file: 'thumbnail.webp', contentType: 'image/webp', keyOf: thumbnailKey, digest: 'thumbnailSha256' },
  screen: { file: 'screen.webp', contentType: 'image/webp', keyOf: screenKey, digest: 'screenSha256' },
  thumbnailAvif: {
    file: 'thumbnail.avif',
    contentType: 'image/avif',
    keyOf: thumbnailAvifKey,
    digest: 'thumbnailAvifSha256',
  },
  screenAvif: { file: 'screen.avif', contentType: 'image/avif', keyOf: screenAvifKey, digest: 'screenAvifSha256' },
} as const satisfies Record<string, Kind>;

export type RenditionName = keyof typeof renditions;

export const renditionNames = Object.keys(renditions) as RenditionName[];

/** px on its long side, up to which an original is shown as it is. */
const SCREEN = 1600;

/** What may move, or is sharp at any size, is shown by its original. */
const still: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/avif']);

type Shape = Pick<ImageRow, 'hasScreen' | 'contentType' | 'width' | 'height'>;

/** Whether there is, or will be, a rendition for the screen: where the original cannot be shown, or is larger. */
export const wantsScreen = ({ hasScreen, contentType, width, height }: Shape): boolean =>
  hasScreen || (still.has(contentType) && Math.max(width, height) > SCREEN);

/** Whether there is a link to it: AVIF is made where it saves enough, and only then told of. */
export const hasRendition = (row: ImageRow, name: RenditionName): boolean =>
  name === 'thumbnail' || (name === 'screen' ? wantsScreen(row) : row[renditions[name].digest] !== null);

/** Whether it is made before the answer to the upload. */
const isFirst = ({ hasScreen }: Shape, name: RenditionName) => name === 'thumbnail' || (name === 'screen' && hasScreen);

/** What has to be made for a rendition that is made behind the answer; undefined for one that is made before it. */
export function lateNeed(row: Shape, name: RenditionName): { screen: boolean; avif: boolean } | undefined {
  return isFirst(row, name) ? undefined : { screen: wantsScreen(row), avif: name !== 'screen' };
}
