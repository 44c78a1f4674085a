/** How large pictures are drawn and how far they zoom. Lengths in CSS px. */
import type { Image } from '../../../server/contract.ts';

type View = Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>;
type Size = Pick<Image, 'width' | 'height'>;

/** Types that every supported browser can draw. */
const DRAWN = /^image\/(?:jpeg|png|webp|gif|avif|svg\+xml)$/;

/** Longer side of the screen rendition, in image pixels. */
const SCREEN = 1600;

/** The least maximum zoom on touch screens. */
const FINGERS = 3;

/** The stage without the room for the arrows and margins; phones have neither. */
function room({ width, height }: { width: number; height: number }) {
  return width <= 640 ? { width, height } : { width: width - 168, height: height - 20 };
}

/** The least long side of a drawing: icons often name a size of 24 px or less. */
const DRAWING = 480;

/** The width of a picture that fits into a stage of this size. Only drawings are enlarged. */
export function drawnWidth(
  { width, height, content_type }: Size & Partial<Pick<Image, 'content_type'>>,
  stage: { width: number; height: number },
): number {
  if (!(width > 0 && height > 0)) return 0;
  const { width: widest, height: highest } = room(stage);
  const larger = content_type === 'image/svg+xml' ? Math.max(1, DRAWING / Math.max(width, height)) : 1;
  return Math.max(1, Math.min(width * larger, widest, (highest * width) / height));
}

/** The stage's size with the panel open, estimated from the window. */
const stageIn = ({ innerWidth, innerHeight }: View) =>
  innerWidth <= 640
    ? { width: innerWidth, height: innerHeight - 140 }
    : { width: innerWidth - (innerWidth >= 1024 ? 348 : 0), height: innerHeight - 146 };

/** The width at which one image pixel covers one screen pixel. */
export const fullWidth = ({ width }: Pick<Image, 'width'>, density: number): number => width / density;

/** Whether the link serves the original, and browsers can draw it. */
export const isDrawn = ({
  location,
  content_type,
  hidden,
}: Pick<Image, 'location' | 'content_type' | 'hidden'>): boolean =>
  hidden === undefined && location !== 'withheld' && DRAWN.test(content_type);

/** Whether the original can be drawn, and the window shows it reduced. */
export function canZoom(
  image: Pick<Image, 'location' | 'content_type' | 'hidden' | 'width' | 'height'>,
  view: View,
): boolean {
  if (!isDrawn(image) || image.height === 0) return false;
  return fullWidth(image, view.devicePixelRatio) > drawnWidth(image, stageIn(view)) * 1.05;
}

/**
 * The maximum zoom factor: one image pixel per screen pixel, and at least three on touch.
 * @param drawn the width at which the picture fits the stage; 0 if not known yet
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
  // Rounded like the lightbox's own zoom value, so that a double click at the maximum zooms out.
  return Math.round(most * 1e5) / 1e5;
}
