import { useLayoutEffect, useRef } from 'react';
import { settings as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './load-failed.module.css';

/** Replaces what could not be loaded. After Retry the focus moves to the box. */
export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (element?.contains(document.activeElement)) element.closest<HTMLElement>('section')?.focus();
    };
  }, []);
  return (
    <div className={styles.failed} role="alert" ref={place}>
      <p>{text}</p>
      <Button variant="line" onClick={onRetry}>
        {texts.retry}
      </Button>
    </div>
  );
}
