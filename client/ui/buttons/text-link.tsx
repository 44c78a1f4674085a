import type { MouseEvent, ReactNode } from 'react';
import { Link } from '../link.tsx';
import styles from './text-link.module.css';

interface TextLinkProps {
  href: string;
  /** Replaces the current history entry. */
  replace?: boolean;
  className?: string;
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
}

export function TextLink({ href, replace, className = '', onClick, children }: TextLinkProps) {
  return (
    <Link href={href} replace={replace} onClick={onClick} className={`${styles.link} ${className}`}>
      {children}
    </Link>
  );
}
