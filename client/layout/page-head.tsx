import type { ReactNode } from 'react';
import { PageHeading } from '../ui/page-heading.tsx';
import styles from './page-head.module.css';

/** The head of a dashboard page: its h1 (also the document's title) and its controls. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <PageHeading title={title} className={styles.title} />
      {children}
    </div>
  );
}
