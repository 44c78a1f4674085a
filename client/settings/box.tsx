import { type ReactNode, useId } from 'react';
import styles from './box.module.css';

interface BoxProps {
  title: string;
  /** In a row of two boxes: the wider one, or the narrower. */
  span: 'wide' | 'narrow';
  children: ReactNode;
}

/** One matter of the settings, under its heading. It takes the focus of what goes out of it. */
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
