import { Check, Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { texts } from '../text/gallery.ts';
import styles from './copy-button.module.css';
import mini from './mini-button.module.css';
import { useCopied } from './use-copied.ts';

/** The text itself, selected, for whoever has to copy by hand. */
function ByHand({ text, onClose }: { text: string; onClose: () => void }) {
  const popover = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const closed = useRef(onClose);
  closed.current = onClose;
  useEffect(() => {
    const element = popover.current;
    if (element === null) return;
    const toggled = (event: Event): void => {
      if ((event as ToggleEvent).newState === 'closed') closed.current();
    };
    element.addEventListener('toggle', toggled);
    element.showPopover();
    field.current?.select();
    return () => element.removeEventListener('toggle', toggled);
  }, []);
  return (
    <div ref={popover} popover="auto" className={styles.byHand}>
      <label>
        {texts.card.copyLabel}
        <input ref={field} readOnly value={text} dir="ltr" />
      </label>
    </div>
  );
}

interface CopyButtonProps {
  text: string;
  describedBy: string;
  className?: string;
}

/** `Copy`, which reads `Copied!` for two seconds. Its width is that of the longer word. */
export function CopyButton({ text, describedBy, className = '' }: CopyButtonProps) {
  const [state, copy, reset] = useCopied();
  const copied = state === 'copied';
  return (
    <>
      <button
        type="button"
        className={`${mini.mini} ${className}`}
        data-done={copied || undefined}
        aria-describedby={describedBy}
        onClick={(event) => copy(text, event.currentTarget)}
      >
        <span className={styles.words}>
          <span className={styles.room} aria-hidden="true">
            <Check />
            {texts.card.copied}
          </span>
          <span className={styles.face}>
            {copied ? <Check /> : <Copy />}
            {copied ? texts.card.copied : texts.card.copy}
          </span>
        </span>
      </button>
      {state === 'refused' ? <ByHand text={text} onClose={reset} /> : null}
    </>
  );
}
