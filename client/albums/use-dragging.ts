import { type RefObject, useEffect, useRef } from 'react';
import { whenIdle } from '../lib/when-idle.ts';

/** A list whose items can be dragged; the script for it comes when the page is at rest. @param isThere whether the list is drawn */
export function useDragging(
  list: RefObject<HTMLElement | null>,
  isThere: boolean,
  onMove: (from: number, before: number) => void,
): void {
  const moved = useRef(onMove);
  moved.current = onMove;
  useEffect(() => {
    if (!isThere) return;
    let end = (): void => {};
    let isOver = false;
    const callOff = whenIdle(() => {
      import('./drag-order.ts')
        .then(({ watchDragging }) => {
          if (!isOver && list.current) end = watchDragging(list.current, (...places) => moved.current(...places));
        })
        // The buttons are there without it.
        .catch(() => undefined);
    });
    return () => {
      isOver = true;
      callOff();
      end();
    };
  }, [list, isThere]);
}
