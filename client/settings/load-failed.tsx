import type { MouseEvent } from 'react';
import { focusAfter } from '../lib/focus.ts';
import { settings as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './load-failed.module.css';

/** Replaces what could not be loaded. After Retry the focus moves to the box. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const retry = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.closest('section');
    // The button disappears.
    focusAfter(onRetry, () => box);
  };
  return (
    <div className={styles.failed} role="alert">
      <p>{text}</p>
      <Button variant="line" onClick={retry}>
        {texts.retry}
      </Button>
    </div>
  );
}
