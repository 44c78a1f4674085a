import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { EmptyMosaic } from '../ui/mosaic.tsx';
import styles from './states.module.css';

export function Empty({ text, hint, children }: { text: string; hint: string; children: ReactNode }) {
  return (
    <div className={styles.blank}>
      <div className={styles.words} role="status">
        <EmptyMosaic />
        <p className={styles.big}>{text}</p>
        <p className={styles.hint}>{hint}</p>
      </div>
      {children}
    </div>
  );
}

interface FailedProps {
  text: string;
  reason: string;
  busy: boolean;
  /** Undefined if a retry cannot help. */
  onRetry: (() => void) | undefined;
}

export function Failed({ text, reason, busy, onRetry }: FailedProps) {
  return (
    <div className={styles.blank} role="alert">
      <CircleAlert className={styles.alert} />
      <p className={styles.big}>{text}</p>
      {reason === '' ? null : <p className={styles.hint}>{reason}</p>}
      {onRetry ? (
        <Button variant="line" busy={busy} onClick={onRetry}>
          {busy ? null : <RotateCw />}
          {texts.retry}
        </Button>
      ) : null}
    </div>
  );
}

export function Skeleton() {
  return (
    <>
      <p className="visually-hidden" role="status">
        {texts.loading}
      </p>
      <div className={styles.tiles} aria-hidden="true">
        {Array.from({ length: 8 }, (_, index) => (
          <i key={String(index)} />
        ))}
      </div>
    </>
  );
}
