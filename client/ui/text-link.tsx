import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './text-link.module.css';

interface TextLinkProps {
  href: string;
  /** Takes the place of this page in the history. */
  replace?: boolean;
  className?: string;
  children: ReactNode;
}

export function TextLink({ href, replace, className = '', children }: TextLinkProps) {
  return (
    <Link href={href} replace={replace} className={`${styles.link} ${className}`}>
      {children}
    </Link>
  );
}
