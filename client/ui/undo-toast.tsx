import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import toast from 'react-hot-toast/headless';
import { isCovered, isField } from '../lib/keyboard.ts';
import { undo as texts } from '../text/words.ts';
import styles from './undo-toast.module.css';

const STANDS_MS = 10_000;

/** The undo functions of the visible toasts, newest last: Ctrl/Cmd+Z undoes the newest. */
const standing: (() => void)[] = [];

const drop = (undo: () => void): void => {
  const at = standing.indexOf(undo);
  if (at >= 0) standing.splice(at, 1);
};

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
  if (event.defaultPrevented || isField(target) || isCovered()) return;
  const last = standing.at(-1);
  if (last === undefined) return;
  event.preventDefault();
  last();
});

/** The buttons disappear with the toast: the focus returns to where it was. */
function goBack(before: EventTarget | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus();
  else document.querySelector<HTMLElement>('h1')?.focus();
}

function Buttons({ onUndo, onClose }: { onUndo: () => void; onClose: () => void }) {
  const before = useRef<EventTarget>(null);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    standing.push(onUndo);
    return () => drop(onUndo);
  }, [onUndo]);
  const pressed = (work: () => void) => () => {
    work();
    goBack(before.current);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only records where the focus came from
    <span
      ref={place}
      className={styles.buttons}
      onFocus={({ relatedTarget }) => {
        if (!place.current?.contains(relatedTarget)) before.current = relatedTarget;
      }}
    >
      <button type="button" className={styles.undo} aria-keyshortcuts="Control+Z Meta+Z" onClick={pressed(onUndo)}>
        {texts.button}
      </button>
      <button
        type="button"
        className={styles.close}
        aria-label={texts.close}
        title={texts.close}
        onClick={pressed(onClose)}
      >
        <X />
      </button>
    </span>
  );
}

/** Shows an Undo button for ten seconds, unless it is closed. */
export function showUndo(text: string, undo: () => void): void {
  const once = (): void => {
    if (!standing.includes(once)) return;
    close();
    undo();
  };
  const close = (): void => {
    drop(once);
    toast.dismiss(id);
  };
  const id = toast(
    <span className={styles.line}>
      <span>{text}</span>
      <Buttons onUndo={once} onClose={close} />
    </span>,
    { duration: STANDS_MS },
  );
}
