/** Chooses which renditions to load for the size they are shown at. Lengths in CSS px unless noted. */
import type { Image } from '../../server/contract.ts';
import { cardRatio, phoneCard, rowHeight } from './wall/wall.ts';

const THUMBNAIL = 480;
const SCREEN = 1600;

/** The larger rendition has eleven times the bytes. It is loaded only if the screen shows at least this share of its width. */
const WORTH = 0.75;

export type Renditions = Pick<
  Image,
  'url' | 'width' | 'height' | 'thumbnail_url' | 'thumbnail_avif_url' | 'screen_url' | 'screen_avif_url'
>;

export interface Sources {
  readonly src: string;
  readonly srcSet: string | undefined;
  readonly avif: string | undefined;
  readonly sizes: string | undefined;
}

/** Width in pixels of a rendition limited to `side` on its longer side. */
const widthWithin = ({ width, height }: Renditions, side: number): number =>
  Math.round(width * Math.min(1, side / Math.max(width, height)));

/**
 * The largest width at which a card draws its picture: an image wider than its frame gets the frame's height and is cropped.
 * Cards stretch to fill their row, usually by a fifth and at most by 1.6 (image-card.module.css).
 */
export function drawnWidth({ width, height }: Renditions, windowWidth: number): number {
  const ratio = width > 0 && height > 0 ? width / height : 4 / 3;
  const row = rowHeight(windowWidth);
  if (row === null) return phoneCard(windowWidth) * Math.max(1, ratio);
  const frame = cardRatio(width, height);
  return frame * row * 1.2 * Math.max(1, ratio / frame);
}

/** More than this, and enlarged pixels are visible as blocks. */
const MOST_ENLARGED = 2;

/** Whether an image is so small that a card shows it at its own size instead of filling its frame. A drawing has no pixels. */
export const isTiny = (image: Renditions & Partial<Pick<Image, 'content_type'>>, windowWidth: number): boolean =>
  image.content_type !== 'image/svg+xml' &&
  image.width > 0 &&
  drawnWidth(image, windowWidth) > image.width * MOST_ENLARGED;

/** Returns what a card loads: the thumbnail, unless a large and dense screen shows nearly all of the screen rendition. */
export function cardSources(image: Renditions, windowWidth: number, density: number): Sources {
  const { url, thumbnail_url, thumbnail_avif_url, screen_url, screen_avif_url } = image;
  // An original may be large in bytes, or animated.
  const hasLarger = screen_url !== url && screen_url !== thumbnail_url;
  const drawn = drawnWidth(image, windowWidth);
  const small = widthWithin(image, THUMBNAIL);
  const large = widthWithin(image, SCREEN);
  if (!hasLarger || drawn * density < large * WORTH || large <= small) {
    return { src: thumbnail_url, srcSet: undefined, avif: thumbnail_avif_url ?? undefined, sizes: undefined };
  }
  const both = (thumbnail: string, screen: string) => `${thumbnail} ${small}w, ${screen} ${large}w`;
  return {
    src: thumbnail_url,
    srcSet: both(thumbnail_url, screen_url),
    avif: thumbnail_avif_url && screen_avif_url ? both(thumbnail_avif_url, screen_avif_url) : undefined,
    sizes: `${Math.round(drawn)}px`,
  };
}
