import { useEffect, useRef } from 'react';
import { preview as texts } from '../text/words.ts';
import styles from './copy-button.module.css';

/** Shows the text selected, so that the reader can copy it by hand. */
export function ByHand({ text, onClose }: { text: string; onClose: () => void }) {
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
        {texts.copyLabel}
        <input ref={field} readOnly value={text} dir="ltr" />
      </label>
    </div>
  );
}
