import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { afterPaint } from '../../lib/after-paint.ts';
import { type GridProps, PendingGrid } from './pending-grid.tsx';

/** px, until a row is measured */
const USUAL_ROW = 180;
/** Rows rendered beyond the window's edges, so that the next control exists before the focus reaches it. */
const BEYOND = 2;

/** Measures the columns, the row gap, and the grid's position on the page. */
function measure(grid: HTMLElement) {
  const { gridTemplateColumns, rowGap } = getComputedStyle(grid);
  return {
    columns: Math.max(1, gridTemplateColumns.split(' ').length),
    gap: Number.parseFloat(rowGap) || 0,
    top: Math.round(grid.getBoundingClientRect().top + window.scrollY),
  };
}

const UNKNOWN = { columns: 0, gap: 0, top: 0 };

/** A virtualized grid for thousands of files: renders only rows near the window, with padding for the rest. */
export const LongGrid = memo(function LongGrid({ files, ...rest }: GridProps) {
  const grid = useRef<HTMLUListElement>(null);
  const [{ columns, gap, top }, setMeasures] = useState(UNKNOWN);
  // The columns and the grid's position follow the window and what is above the grid.
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const look = (): void => {
      const found = measure(element);
      setMeasures((known) =>
        known.columns === found.columns && known.gap === found.gap && known.top === found.top ? known : found,
      );
    };
    // A ResizeObserver also reports at once, so it starts after the response to the click is painted.
    const observer = new ResizeObserver(look);
    let isOver = false;
    afterPaint(() => {
      if (!isOver) observer.observe(document.body);
    });
    return () => {
      isOver = true;
      observer.disconnect();
    };
  }, []);
  const rows = columns === 0 ? 0 : Math.ceil(files.length / columns);
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => USUAL_ROW,
    overscan: BEYOND,
    scrollMargin: top,
    gap,
  });
  const drawn = virtualizer.getVirtualItems();
  const [start, end] = [drawn[0], drawn.at(-1)];
  const from = (start?.index ?? 0) * columns;
  const to = Math.min(files.length, ((end?.index ?? -1) + 1) * columns);
  // Tiles fill their row's height, so the first tile of each row measures it.
  useLayoutEffect(() => {
    const tiles = grid.current?.children ?? [];
    for (const row of drawn) {
      const tile = tiles[(row.index - (start?.index ?? 0)) * columns];
      const height = tile?.getBoundingClientRect().height ?? 0;
      if (height > 0 && Math.abs(height - row.size) >= 1) virtualizer.resizeItem(row.index, height);
    }
  });
  const style = {
    paddingBlockStart: Math.max(0, (start?.start ?? top) - top),
    paddingBlockEnd: Math.max(0, virtualizer.getTotalSize() - ((end?.end ?? top) - top)),
  };
  return (
    <PendingGrid {...rest} ref={grid} files={files.slice(from, to)} first={from} of={files.length} style={style} />
  );
});
