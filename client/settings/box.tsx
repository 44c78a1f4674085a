import { type ReactNode, useId } from 'react';
import styles from './box.module.css';

interface BoxProps {
  title: string;
  /** Width in a row of two boxes, or a whole row. */
  span: 'wide' | 'narrow' | 'full';
  children: ReactNode;
}

/** A section of the settings. It takes the focus when a focused control in it is removed. */
export function Box({ title, span, children }: BoxProps) {
  const id = useId();
  return (
    <section className={styles.box} data-span={span} aria-labelledby={id} tabIndex={-1}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}

export function Boxes({ children }: { children: ReactNode }) {
  return <div className={styles.boxes}>{children}</div>;
}
