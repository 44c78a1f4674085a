import { useEffect, useRef } from 'react';
import toast from 'react-hot-toast/headless';
import { texts } from '../text/undo.ts';
import styles from './undo-toast.module.css';

const STANDS_MS = 10_000;

/** Of the toasts that stand, the newest last: keys take back what was done last. */
const standing: (() => void)[] = [];

const drop = (undo: () => void): void => {
  const at = standing.indexOf(undo);
  if (at >= 0) standing.splice(at, 1);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('textarea, select, [contenteditable], input:not([type="checkbox"])');

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
  if (event.defaultPrevented || isTyping(target) || document.querySelector('dialog[open], [aria-modal="true"]')) return;
  const last = standing.at(-1);
  if (last === undefined) return;
  event.preventDefault();
  last();
});

function UndoButton({ onUndo }: { onUndo: () => void }) {
  const before = useRef<EventTarget>(null);
  useEffect(() => {
    standing.push(onUndo);
    return () => drop(onUndo);
  }, [onUndo]);
  return (
    <button
      type="button"
      className={styles.undo}
      aria-keyshortcuts="Control+Z Meta+Z"
      onFocus={({ relatedTarget }) => {
        before.current = relatedTarget;
      }}
      onClick={() => {
        onUndo();
        const back = before.current;
        if (back instanceof HTMLElement && back.isConnected) back.focus();
        else document.querySelector<HTMLElement>('h1')?.focus();
      }}
    >
      {texts.button}
    </button>
  );
}

export function showUndo(text: string, undo: () => void): void {
  const once = (): void => {
    if (!standing.includes(once)) return;
    drop(once);
    toast.dismiss(id);
    undo();
  };
  const id = toast(
    <span className={styles.line}>
      <span>{text}</span>
      <UndoButton onUndo={once} />
    </span>,
    { duration: STANDS_MS },
  );
}
