/** Presses on the overlay: a click beside its content closes it, a tap on the picture hides the controls. */
import { type PointerEvent, useEffect, useRef } from 'react';

/** Whether a target is bare stage, outside the picture and the controls. */
const isOutside = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, a, img, [data-inside]') === null;

/** px that a pointer may move before a click becomes a drag */
const STRAY = 10;

/** A second tap within this time is a double tap, which zooms. */
const DOUBLE_TAP_MS = 300;

/** Detects a single tap on the picture. @returns the handler to call on every tap */
function useTap(onTap: () => void) {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (): void => {
    const isSecond = waiting.current !== undefined;
    clearTimeout(waiting.current);
    waiting.current = isSecond
      ? undefined
      : setTimeout(() => {
          waiting.current = undefined;
          onTap();
        }, DOUBLE_TAP_MS);
  };
}

const isPicture = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-room] img') !== null;

/** Detects clicks on the bare stage, with press and release there, and taps on the picture. */
export function useOutside(onOutside: () => void, onTap: () => void) {
  const down = useRef<{ x: number; y: number; outside: boolean }>(undefined);
  const tap = useTap(onTap);
  return {
    onPointerDown({ target, clientX, clientY, pointerType }: PointerEvent) {
      const outside = isOutside(target);
      const heard = outside || (pointerType === 'touch' && isPicture(target));
      down.current = heard ? { x: clientX, y: clientY, outside } : undefined;
    },
    onClick({ target, clientX, clientY }: { target: EventTarget; clientX: number; clientY: number }) {
      const from = down.current;
      down.current = undefined;
      if (!from || Math.hypot(clientX - from.x, clientY - from.y) > STRAY) return;
      if (from.outside && isOutside(target)) onOutside();
      else if (!from.outside && isPicture(target)) tap();
    },
  };
}
