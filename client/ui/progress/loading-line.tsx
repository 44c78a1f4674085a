import styles from './loading-line.module.css';

/** A line that grows while something loads: along the window's top, or along the bottom of its container. */
export function LoadingLine({ at }: { at: 'window' | 'container' }) {
  return <div className={styles.line} data-at={at} />;
}
