import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { Link } from '../link.tsx';
import { Spinner } from '../progress/spinner.tsx';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'quiet' | 'line' | 'ghost' | 'danger';
interface Look {
  variant?: ButtonVariant;
  size?: 'normal' | 'large';
}

/** The class names alone, for buttons rendered elsewhere (the confirm dialog). */
export function buttonClass({ variant = 'quiet', size = 'normal' }: Look, extra = ''): string {
  return [styles.button, styles[variant], size === 'large' ? styles.large : '', extra].filter(Boolean).join(' ');
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows a spinner beside the text and ignores clicks; the button keeps its width and its focus. */
  busy?: boolean;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant, size, busy, className, children, onClick, type = 'button', ...rest }: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size }, className)}
      aria-disabled={busy || rest['aria-disabled']}
      data-busy={busy || undefined}
      onClick={press}
    >
      {busy ? <Spinner className={styles.spinner} /> : null}
      {children}
    </button>
  );
}

/** A link inside the app, styled as a button. */
export function ButtonLink({ variant, size, href, children }: Look & { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass({ variant, size })}>
      {children}
    </Link>
  );
}
