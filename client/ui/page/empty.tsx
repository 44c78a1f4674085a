import type { ReactNode } from 'react';
import { EmptyMosaic } from '../mosaic/mosaic.tsx';
import styles from './blank.module.css';

/** An empty list: what is missing, how to fill it, and a button. */
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
