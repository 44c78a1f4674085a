/** Which of an image's renditions are worth loading at the size it is shown at. Lengths in CSS px where not said otherwise. */
import type { Image } from '../../server/contract.ts';
import { cardRatio, phoneCard, rowHeight } from './wall.ts';

const THUMBNAIL = 480;
const SCREEN = 1600;

/** The larger rendition, eleven times the thumbnail's size, is worth its bytes where at least so much of its width is shown. */
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

/** Width in pixels of a rendition that is at most `side` on its longer side. */
const widthWithin = ({ width, height }: Renditions, side: number): number =>
  Math.round(width * Math.min(1, side / Math.max(width, height)));

/**
 * The width at which a card's picture is drawn, at most: an image wider than its frame is drawn as high as the frame and cut at its
 * sides. A row stretches its cards to its own end, by 1.6 at the most (image-card.module.css), by a fifth as a rule.
 */
export function drawnWidth({ width, height }: Renditions, windowWidth: number): number {
  const ratio = width > 0 && height > 0 ? width / height : 4 / 3;
  const row = rowHeight(windowWidth);
  if (row === null) return phoneCard(windowWidth) * Math.max(1, ratio);
  const frame = cardRatio(width, height);
  return frame * row * 1.2 * Math.max(1, ratio / frame);
}

/** What a card loads: the thumbnail, save on screens so large and dense that they show nearly all of the next rendition. */
export function cardSources(image: Renditions, windowWidth: number, density: number): Sources {
  const { url, thumbnail_url, thumbnail_avif_url, screen_url, screen_avif_url } = image;
  // An original may be of any size in bytes, and may move.
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
