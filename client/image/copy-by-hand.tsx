import { preview as texts } from '../text/words.ts';
import styles from './copy-button.module.css';

function appear(popover: HTMLDivElement | null): void {
  popover?.showPopover();
  popover?.querySelector('input')?.select();
}

/** Shows the text selected, so that the reader can copy it by hand. */
export function ByHand({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <div
      ref={appear}
      popover="auto"
      className={styles.byHand}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      <label>
        {texts.copyLabel}
        <input readOnly value={text} dir="ltr" />
      </label>
    </div>
  );
}
