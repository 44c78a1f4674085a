/** How large pictures are drawn, and how far they can be zoomed. Lengths in CSS px. */
import type { Image } from '../../../server/contract.ts';

type View = Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>;
type Size = Pick<Image, 'width' | 'height'>;

/** What every browser that has come this far can draw. */
const DRAWN = /^image\/(?:jpeg|png|webp|gif|avif|svg\+xml)$/;

/** On the longer side of what stands in for an original that is not handed out or drawn. */
const SCREEN = 1600;

/** A finger takes in less than it covers: on touch, pictures grow to this at least. */
const FINGERS = 3;

/** The room for the arrows beside the picture, and some air around it; none on a phone. */
function room({ width, height }: { width: number; height: number }) {
  return width <= 640 ? { width, height } : { width: width - 168, height: height - 20 };
}

/** The width of a picture that is whole in sight, in a stage of this size. */
export function drawnWidth({ width, height }: Size, stage: { width: number; height: number }): number {
  if (!(width > 0 && height > 0)) return 0;
  const { width: widest, height: highest } = room(stage);
  return Math.max(1, Math.min(width, widest, (highest * width) / height));
}

/** The stage as it is with the panel open, a guess from the window alone. */
const stageIn = ({ innerWidth, innerHeight }: View) =>
  innerWidth <= 640
    ? { width: innerWidth, height: innerHeight - 140 }
    : { width: innerWidth - (innerWidth >= 1024 ? 348 : 0), height: innerHeight - 146 };

/** The width at which each of the image's pixels has one of the screen's. */
export const fullWidth = ({ width }: Pick<Image, 'width'>, density: number): number => width / density;

/** Whether the link hands out the original, and a browser can draw it. */
export const isDrawn = ({
  location,
  content_type,
  hidden,
}: Pick<Image, 'location' | 'content_type' | 'hidden'>): boolean =>
  hidden === undefined && location !== 'withheld' && DRAWN.test(content_type);

/** Whether the link hands out an original that a browser can draw, and the window shows it smaller than it is. */
export function canZoom(
  image: Pick<Image, 'location' | 'content_type' | 'hidden' | 'width' | 'height'>,
  view: View,
): boolean {
  if (!isDrawn(image) || image.height === 0) return false;
  return fullWidth(image, view.devicePixelRatio) > drawnWidth(image, stageIn(view)) * 1.05;
}

/**
 * How many times a picture can be enlarged: until its own pixels are those of the screen, or on touch three times.
 * @param drawn the width at which it is whole in sight; 0 where that is not known yet
 */
export function mostZoom(
  image: Pick<Image, 'location' | 'content_type' | 'hidden' | 'width' | 'height'>,
  drawn: number,
  view: View,
  byTouch: boolean,
): number {
  const width = drawn > 0 ? drawn : drawnWidth(image, stageIn(view));
  if (width === 0) return 1;
  const zoomable = canZoom(image, view);
  const pixels = zoomable ? image.width : image.width * Math.min(1, SCREEN / Math.max(image.width, image.height));
  const full = fullWidth({ width: pixels }, view.devicePixelRatio) / width;
  const most = Math.max(1, byTouch && zoomable ? Math.max(FINGERS, full) : full);
  // As exact as the library keeps what it zooms to, and compares with this: a double click there leads back.
  return Math.round(most * 1e5) / 1e5;
}
