import { type RefObject, useEffect, useEffectEvent } from 'react';
import { whenIdle } from '../lib/when-idle.ts';

/** Makes a list's items draggable; the script loads when the page is idle. @param isThere whether the list is rendered */
export function useDragging(
  list: RefObject<HTMLElement | null>,
  isThere: boolean,
  onMove: (from: number, before: number) => void,
): void {
  const moved = useEffectEvent(onMove);
  useEffect(() => {
    if (!isThere) return;
    let end = (): void => {};
    let isOver = false;
    const callOff = whenIdle(() => {
      import('./drag-order.ts')
        .then(({ watchDragging }) => {
          if (!isOver && list.current) end = watchDragging(list.current, (...places) => moved(...places));
        })
        // The buttons for moving work without it.
        .catch(() => undefined);
    });
    return () => {
      isOver = true;
      callOff();
      end();
    };
  }, [list, isThere]);
}
