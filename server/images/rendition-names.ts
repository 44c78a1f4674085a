import type { ImageRow } from '../../drizzle/schema.ts';
import { screenAvifKey, screenKey, thumbnailAvifKey, thumbnailKey } from './keys.ts';

type Kind = {
  file: string;
  contentType: string;
  keyOf: (row: ImageRow) => string;
  checksum: 'thumbnailSha256' | 'screenSha256' | 'thumbnailAvifSha256' | 'screenAvifSha256';
};

export const renditions = {
  thumbnail: { file: 'thumbnail.webp', contentType: 'image/webp', keyOf: thumbnailKey, checksum: 'thumbnailSha256' },
  screen: { file: 'screen.webp', contentType: 'image/webp', keyOf: screenKey, checksum: 'screenSha256' },
  thumbnailAvif: {
    file: 'thumbnail.avif',
    contentType: 'image/avif',
    keyOf: thumbnailAvifKey,
    checksum: 'thumbnailAvifSha256',
  },
  screenAvif: { file: 'screen.avif', contentType: 'image/avif', keyOf: screenAvifKey, checksum: 'screenAvifSha256' },
} as const satisfies Record<string, Kind>;

export type RenditionName = keyof typeof renditions;

export const renditionNames = Object.keys(renditions) as RenditionName[];

/** Pixels of the long side up to which the original is shown. */
const SCREEN = 1600;

/** Animated and vector formats are always shown as originals. */
const still: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/avif']);

type Shape = Pick<ImageRow, 'hasScreen' | 'contentType' | 'width' | 'height'>;

/** Whether an image has or will have a screen rendition: its original cannot be shown or is larger. */
export const wantsScreen = ({ hasScreen, contentType, width, height }: Shape): boolean =>
  hasScreen || (still.has(contentType) && Math.max(width, height) > SCREEN);

/** Pixels of the long side of a thumbnail. */
const THUMBNAIL = 480;

/** Whether a screen rendition can be larger than the thumbnail. Where visitors get no originals, they get it. */
export const canHaveScreen = (row: Shape): boolean => wantsScreen(row) || Math.max(row.width, row.height) > THUMBNAIL;

/** Whether a rendition has a link. AVIF renditions exist only if they save enough bytes. */
export const hasRendition = (row: ImageRow, name: RenditionName): boolean =>
  name === 'thumbnail' || (name === 'screen' ? canHaveScreen(row) : row[renditions[name].checksum] !== null);

/** Whether a rendition is made before the upload's response. */
const isFirst = ({ hasScreen }: Shape, name: RenditionName) => name === 'thumbnail' || (name === 'screen' && hasScreen);

/** Which background renditions to make; `avif` of the thumbnail and of the screen. */
export type BackgroundNeed = { screen: boolean; avif: boolean };

/** What to make for a later rendition, in the background or on request; undefined for one made before the upload's response. */
export function backgroundNeed(row: Shape, name: RenditionName): BackgroundNeed | undefined {
  return isFirst(row, name) ? undefined : { screen: name === 'screen' || wantsScreen(row), avif: name !== 'screen' };
}
