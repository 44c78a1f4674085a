import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './icon-button.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, children, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={`${styles.button} ${className}`} aria-label={label} title={label}>
      {children}
    </button>
  );
}
