import { type KeyboardEvent, memo, useCallback, useDeferredValue, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { ImageCard, type Pick } from '../card/image-card.tsx';
import { useReturning } from './focus-picture.ts';
import styles from './image-wall.module.css';
import { cardRatio, type Direction, firstRow, neighbour, rowHeight, rowsShown, wallWidth } from './wall.ts';

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The number of cards in the first row and on the first screen: an estimate made before layout. */
function useFirst(images: readonly Image[]): { row: number; screen: number } {
  const [{ width, height }] = useState(() => ({ width: window.innerWidth, height: window.innerHeight }));
  const ratios = images.map((image) => cardRatio(image.width, image.height));
  const row = firstRow(ratios, wallWidth(width), rowHeight(width));
  return { row, screen: row * rowsShown(width, height) };
}

/** Whether two pages differ by at most two images. */
function isNearly(one: readonly Image[], other: readonly Image[]): boolean {
  const known = new Set(other.map(({ id }) => id));
  const fresh = one.filter(({ id }) => !known.has(id)).length;
  const [head, second] = [one[0]?.id, one[1]?.id];
  return fresh < 3 && (head === other[0]?.id || head === other[1]?.id || second === other[0]?.id);
}

/** The selected images, and whether selection mode is on. */
export interface Picked {
  readonly on: boolean;
  readonly images: ReadonlyMap<string, unknown>;
  /** by id: why the last action on a selected image failed */
  readonly problems: ReadonlyMap<string, string>;
}

/** Returns what the wall shows. A change of many cards renders in the background, to keep the page responsive. */
function useUnhurried(images: readonly Image[], selection: Picked) {
  const [page, picked] = [useDeferredValue(images), useDeferredValue(selection)];
  const isOneMore = Math.abs(picked.images.size - selection.images.size) < 2;
  return [isNearly(images, page) ? images : page, isOneMore ? { ...selection, on: picked.on } : picked] as const;
}

interface ImageWallProps {
  images: readonly Image[];
  selection: Picked;
  deleting: ReadonlySet<string>;
  leaving: string | null;
  /** id of the image on this page that the closed overlay showed last: its picture gets the focus */
  returning: string | null;
  onReturned: () => void;
  onPick: Pick;
  onDelete: (image: Image) => void;
}

/** The justified wall. Arrow keys move the focus from picture to picture. */
export const ImageWall = memo(function ImageWall(props: ImageWallProps) {
  const { deleting, leaving, returning, onReturned, onPick, onDelete, ...now } = props;
  const [images, selection] = useUnhurried(now.images, now.selection);
  const list = useRef<HTMLUListElement>(null);
  const first = useFirst(images);
  const onArrow = useCallback((event: KeyboardEvent<HTMLButtonElement>) => {
    const direction = ARROWS[event.key];
    if (direction === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const pictures = [...(list.current?.querySelectorAll<HTMLElement>('[data-picture]') ?? [])];
    const boxes = pictures.map((picture) => picture.getBoundingClientRect());
    const isMirrored = document.dir === 'rtl';
    const next = pictures[neighbour(boxes, pictures.indexOf(event.currentTarget), direction, isMirrored)];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }, []);
  useReturning(images === now.images ? returning : null, onReturned);
  return (
    <ul className={styles.wall} data-picking={selection.on || undefined} ref={list}>
      {images.map((image, index) => (
        <ImageCard
          key={image.id}
          image={image}
          place={index < first.row ? 'row' : index < first.screen ? 'screen' : 'below'}
          deleting={deleting.has(image.id)}
          leaving={leaving === image.id}
          picking={selection.on}
          selected={selection.images.has(image.id)}
          problem={selection.problems.get(image.id)}
          onPick={onPick}
          onDelete={onDelete}
          onArrow={onArrow}
        />
      ))}
    </ul>
  );
});
