import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

const LONG_MS = 500;

/** px that a resting finger may move */
const STRAY = 10;

/** Detects a finger that rests for 500 ms. Suppresses the click and the context menu that would follow. */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined);
  const isOver = useRef(false);
  const end = (): void => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  return {
    onPointerDown({ pointerType, isPrimary, clientX, clientY }: PointerEvent) {
      end();
      isOver.current = false;
      if (pointerType === 'mouse' || !isPrimary) return;
      const timer = setTimeout(() => {
        isOver.current = true;
        navigator.vibrate?.(10);
        onLongPress();
      }, LONG_MS);
      press.current = { x: clientX, y: clientY, timer };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > STRAY) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent) {
      if (press.current !== undefined || isOver.current) event.preventDefault();
    },
    onClickCapture(event: MouseEvent) {
      if (!isOver.current) return;
      isOver.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
  };
}
