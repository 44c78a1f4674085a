import type { ReactNode } from 'react';
import styles from './page-head.module.css';
import { PageHeading } from './page-heading.tsx';

/** The head of a dashboard page: its h1 (also the document's title) and its controls. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <PageHeading title={title} className={styles.title} />
      {children}
    </div>
  );
}
