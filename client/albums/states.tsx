import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../text/albums.ts';
import { Button } from '../ui/button.tsx';
import { EmptyMosaic } from '../ui/mosaic.tsx';
import styles from './states.module.css';

export function Empty({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.blank}>
      <div className={styles.words} role="status">
        <EmptyMosaic />
        <p className={styles.big}>{text}</p>
      </div>
      {children}
    </div>
  );
}

export function Failed({ text, busy, onRetry }: { text: string; busy: boolean; onRetry: () => void }) {
  return (
    <div className={styles.blank} role="alert">
      <CircleAlert className={styles.alert} />
      <p className={styles.big}>{text}</p>
      <Button variant="line" busy={busy} onClick={onRetry}>
        {busy ? null : <RotateCw />}
        {texts.retry}
      </Button>
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
