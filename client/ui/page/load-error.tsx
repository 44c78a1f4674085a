import { CircleAlert, RotateCw } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { focusOrHeading, isFocusLost } from '../../lib/focus.ts';
import { Button } from '../buttons/button.tsx';
import styles from './blank.module.css';

interface LoadErrorProps {
  text: string;
  reason?: string | undefined;
  /** `page`: in place of a page. `bar`: above what was loaded before. `line`: inside a box. */
  size: 'page' | 'bar' | 'line';
  /** The button's text. */
  retry: string;
  busy: boolean;
  /** Whether a toast announces the same text. */
  isSilent?: boolean;
  /** Undefined if a retry cannot help. */
  onRetry: (() => void) | undefined;
}

/** What could not be loaded, and a button to try again. */
export function LoadError({ text, reason = '', size, retry, busy, isSilent, onRetry }: LoadErrorProps) {
  const box = useRef<HTMLDivElement>(null);
  // Whatever loads in its place removes the pressed button.
  useLayoutEffect(() => {
    const [place, around] = [box.current, box.current?.closest('section')];
    return () => {
      if (!place?.contains(document.activeElement)) return;
      queueMicrotask(() => isFocusLost() && focusOrHeading(around));
    };
  }, []);
  return (
    <div ref={box} className={styles.blank} data-size={size} role={isSilent ? undefined : 'alert'}>
      {size === 'line' ? null : <CircleAlert className={styles.alert} />}
      <p className={size === 'line' ? undefined : styles.big}>{text}</p>
      {reason === '' ? null : <p className={styles.hint}>{reason}</p>}
      {onRetry ? (
        <Button variant="line" busy={busy} onClick={onRetry}>
          {busy ? null : <RotateCw />}
          {retry}
        </Button>
      ) : null}
    </div>
  );
}
