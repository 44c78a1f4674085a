import styles from './spinner.module.css';

/** Decoration: the word beside it shows the state. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span className={`${styles.spinner} ${className}`} aria-hidden="true" />;
}
