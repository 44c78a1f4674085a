/** The overlay as a dialog: opened over everything, left by a click beside what it shows. */
import { type PointerEvent, useLayoutEffect, useRef } from 'react';

/** `onClosed`: the browser closed the dialog by itself, as it does on a second Esc whatever we say to the first. */
export function useModal(onClosed: () => void) {
  const closed = useRef(onClosed);
  closed.current = onClosed;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const follow = (): void => closed.current();
    element.showModal();
    element.addEventListener('close', follow);
    document.documentElement.style.overflow = 'hidden';
    return () => {
      element.removeEventListener('close', follow);
      element.close();
      document.documentElement.style.overflow = '';
    };
  }, []);
  return dialog;
}

/** What lies on the stage without being outside the picture. */
const isOutside = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, a, img, [data-inside]') === null;

export const isField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** px that a click may stray before it is a drag */
const STRAY = 10;

/** A click on the bare stage, its press and its release. */
export function useOutside(onOutside: () => void) {
  const down = useRef<{ x: number; y: number }>(undefined);
  return {
    onPointerDown({ target, clientX, clientY }: PointerEvent) {
      down.current = isOutside(target) ? { x: clientX, y: clientY } : undefined;
    },
    onClick({ target, clientX, clientY }: { target: EventTarget; clientX: number; clientY: number }) {
      const from = down.current;
      down.current = undefined;
      if (!from || !isOutside(target) || Math.hypot(clientX - from.x, clientY - from.y) > STRAY) return;
      onOutside();
    },
  };
}
