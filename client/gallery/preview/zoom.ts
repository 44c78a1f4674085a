import type { Image } from '../../../server/contract.ts';

/** What every browser that has come this far can draw. */
const DRAWN = /^image\/(?:jpeg|png|webp|gif|avif|svg\+xml)$/;

/** The window without what stands around the picture (preview.module.css, preview-stage.module.css), in CSS px. */
function room({ innerWidth, innerHeight }: Pick<Window, 'innerWidth' | 'innerHeight'>) {
  if (innerWidth <= 640) return { width: innerWidth, height: innerHeight - 140 };
  return { width: innerWidth - 168 - (innerWidth >= 1024 ? 348 : 0), height: innerHeight - 104 };
}

/** The width, in CSS px, at which each of the image's pixels has one of the screen's. */
export const fullWidth = ({ width }: Pick<Image, 'width'>, density: number): number => width / density;

/** Whether the link hands out an original that a browser can draw, and the window shows it smaller than it is. */
export function canZoom(
  { location, content_type, width, height }: Pick<Image, 'location' | 'content_type' | 'width' | 'height'>,
  view: Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>,
): boolean {
  if (location === 'withheld' || !DRAWN.test(content_type) || height === 0) return false;
  const { width: widest, height: highest } = room(view);
  const fitted = Math.min(width, widest, (highest * width) / height);
  return fullWidth({ width }, view.devicePixelRatio) > fitted * 1.05;
}

/** A place in the picture, as fractions of its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const CENTRE: Point = { x: 0.5, y: 0.5 };

/** The place of a click in the picture's box. */
export const pointIn = (
  box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>,
  at: { clientX: number; clientY: number },
): Point => ({ x: (at.clientX - box.left) / box.width, y: (at.clientY - box.top) / box.height });
