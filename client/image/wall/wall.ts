/** Geometry of the justified wall. Lengths in CSS px. */
const NARROWEST = 0.8;
const WIDEST = 2.2;

/** A card's aspect ratio: the image's own, limited to leave room for the caption; 4:3 if unknown. */
export function cardRatio(width: number, height: number): number {
  if (!(width > 0 && height > 0)) return 4 / 3;
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}

/** The wall's row height at a window width, as in its stylesheet; null for two columns of squares. */
export function rowHeight(windowWidth: number): number | null {
  if (windowWidth <= 640) return null;
  if (windowWidth < 1024) return 200;
  if (windowWidth < 1920) return 236;
  if (windowWidth < 2560) return 280;
  return windowWidth < 3200 ? 320 : 380;
}

const GAP = 18;
const PHONE_GAP = 12;
const CAPTION = 88;
const PHONE_CAPTION = 110;

/** The wall's width: the window without the shell and padding. An estimate where the sidebar may be collapsed. */
export function wallWidth(windowWidth: number): number {
  if (windowWidth <= 640) return windowWidth - 32;
  return Math.max(300, windowWidth - (windowWidth < 1024 ? 134 : 318));
}

/** A card's width on a phone, where pictures are square. */
export const phoneCard = (windowWidth: number): number => (wallWidth(windowWidth) - PHONE_GAP) / 2;

/** The number of rows in the window, counting a cut one and ignoring what is above the wall. */
export function rowsShown(windowWidth: number, windowHeight: number): number {
  const row = rowHeight(windowWidth);
  return Math.ceil(windowHeight / (row === null ? phoneCard(windowWidth) + PHONE_CAPTION : row + CAPTION));
}

/** The number of cards in the first row, as flex-wrap breaks it; at least one, two on a phone. */
export function firstRow(ratios: readonly number[], wallWidth: number, row: number | null): number {
  if (row === null) return 2;
  let used = -GAP;
  const index = ratios.findIndex((ratio) => {
    used += ratio * row + GAP;
    return used > wallWidth;
  });
  return index < 0 ? Math.max(1, ratios.length) : Math.max(1, index);
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const centre = (box: Box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** Index of the next box: of the list for left and right, else the nearest one in the row above or below. -1 at the edge. */
export function neighbour(boxes: readonly Box[], from: number, direction: Direction, isMirrored = false): number {
  const here = boxes[from];
  if (here === undefined) return -1;
  if (direction === 'left' || direction === 'right') {
    const next = from + ((direction === 'right') === isMirrored ? -1 : 1);
    return next < boxes.length ? next : -1;
  }
  const sign = direction === 'down' ? 1 : -1;
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  boxes.forEach((box, index) => {
    const dx = centre(box).x - centre(here).x;
    const dy = centre(box).y - centre(here).y;
    const isSameRow = Math.abs(dy) < Math.min(box.height, here.height) / 2;
    const along = dy * sign;
    if (index === from || along <= 0 || isSameRow) return;
    const distance = along * 1000 + Math.abs(dx);
    if (distance < bestDistance) {
      best = index;
      bestDistance = distance;
    }
  });
  return best;
}
