/** The one way of this page to open a modal <dialog>: open while it is mounted, closed by Esc and by a press outside of it. */
import { type PointerEvent, type RefObject, type SyntheticEvent, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** px that a pointer may move before a click becomes a drag */
const STRAY = 10;

/** Opens the <dialog> of the ref while it is mounted. @param onClosed the browser closed it: a second Esc cannot be prevented */
export function useOpenDialog(onClosed: () => void): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const closed = useEffectEvent(() => {
    if (!ref.current?.open) onClosed();
  });
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    const follow = (): void => closed();
    dialog.showModal();
    dialog.addEventListener('close', follow);
    document.documentElement.style.overflow = 'hidden';
    return () => {
      dialog.removeEventListener('close', follow);
      // The browser returns the focus to where it was.
      dialog.close();
      // The list of shortcuts may be open over an image.
      document.documentElement.style.overflow = document.querySelector('dialog:modal') ? 'hidden' : '';
    };
  }, []);
  return ref;
}

interface ModalProps {
  ref: RefObject<HTMLDialogElement | null>;
  onCancel: (event: SyntheticEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
  onClick: (event: { target: EventTarget; clientX: number; clientY: number }) => void;
}

/** @returns the properties of a <dialog> that Esc and a press on its backdrop close */
export function useModal(onClose: () => void): ModalProps {
  const ref = useOpenDialog(onClose);
  const down = useRef<{ x: number; y: number }>(undefined);
  return {
    ref,
    onCancel(event) {
      // A file field inside cancels too.
      if (event.target !== ref.current) return;
      event.preventDefault();
      onClose();
    },
    // Pressed and released on the backdrop: a selection of text may end there, or begin.
    onPointerDown({ target, clientX, clientY }) {
      down.current = target === ref.current ? { x: clientX, y: clientY } : undefined;
    },
    onClick({ target, clientX, clientY }) {
      const from = down.current;
      down.current = undefined;
      if (from && target === ref.current && Math.hypot(clientX - from.x, clientY - from.y) <= STRAY) onClose();
    },
  };
}
