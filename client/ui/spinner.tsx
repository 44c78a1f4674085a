import styles from './spinner.module.css';

/** Decoration: the word beside it says what is going on. */
export function Spinner({ className = '' }: { className?: string }) {
  return <span className={`${styles.spinner} ${className}`} aria-hidden="true" />;
}
