import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import toast from 'react-hot-toast/headless';
import { focusOrHeading } from '../../lib/focus.ts';
import { isCovered, isField } from '../../lib/keyboard.ts';
import { undo as texts } from '../../text/words.ts';
import styles from './undo-toast.module.css';

const SHOWN_MS = 10_000;

interface Offer {
  readonly subject: string | undefined;
  readonly undo: () => void;
  readonly close: () => void;
}

/** The offers on the screen, newest last: Ctrl/Cmd+Z undoes the newest. */
const offers = new Set<Offer>();

document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
  if (event.defaultPrevented || isField(target) || isCovered()) return;
  const last = [...offers].at(-1);
  if (last === undefined) return;
  event.preventDefault();
  last.undo();
});

/** The buttons disappear with the toast: the focus returns to where it was. */
function goBack(before: EventTarget | null): void {
  focusOrHeading(before instanceof HTMLElement && before.isConnected ? before : null);
}

function Buttons({ offer }: { offer: Offer }) {
  const before = useRef<EventTarget>(null);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    offers.add(offer);
    return () => {
      offers.delete(offer);
    };
  }, [offer]);
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
      <button type="button" className={styles.undo} aria-keyshortcuts="Control+Z Meta+Z" onClick={pressed(offer.undo)}>
        {texts.button}
      </button>
      <button
        type="button"
        className={styles.close}
        aria-label={texts.close}
        title={texts.close}
        onClick={pressed(offer.close)}
      >
        <X />
      </button>
    </span>
  );
}

/** Shows an Undo button for ten seconds, unless it is closed. */
export function showUndo(text: string, undo: () => void, subject?: string): void {
  const offer: Offer = {
    subject,
    undo() {
      if (!offers.has(offer)) return;
      offer.close();
      undo();
    },
    close() {
      offers.delete(offer);
      toast.dismiss(id);
    },
  };
  const id = toast(
    <span className={styles.line}>
      <span>{text}</span>
      <Buttons offer={offer} />
    </span>,
    { duration: SHOWN_MS },
  );
}

/** Removes all offers, or those for one subject. */
export function dismissUndo(subject?: string): void {
  for (const offer of [...offers]) if (subject === undefined || offer.subject === subject) offer.close();
}
