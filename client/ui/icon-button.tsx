import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './icon-button.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Its accessible name, also shown as the tooltip. */
  label: string;
  /** The icon. */
  children: ReactNode;
}

export function IconButton({ label, children, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={`${styles.button} ${className}`} aria-label={label} title={label}>
      {children}
    </button>
  );
}
