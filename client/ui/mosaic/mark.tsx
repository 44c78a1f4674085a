import styles from './mark.module.css';

/** The product's logo. `size` in px. */
export function Mark({ size }: { size: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="1.5" y="12.6" width="9.9" height="9.9" rx="2" />
      <rect x="1.5" y="1.5" width="9.9" height="9.9" rx="2" opacity=".62" />
      <rect x="12.6" y="12.6" width="9.9" height="9.9" rx="2" opacity=".82" />
      <rect x="12.6" y="1.5" width="4.4" height="4.4" rx="1.1" opacity=".42" />
      <circle cx="20.3" cy="3.7" r="2.2" />
      <rect x="12.6" y="7" width="4.4" height="4.4" rx="1.1" opacity=".7" />
      <rect x="18.1" y="7" width="4.4" height="4.4" rx="1.1" opacity=".5" />
    </svg>
  );
}
