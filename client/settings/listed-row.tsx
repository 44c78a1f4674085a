import type { ReactNode } from 'react';
import { formatMoment } from '../text/format-moment.ts';
import styles from './rows.module.css';

/** A fact of a row: what happened, and when. */
export const Moment = ({ label, at }: { label: string; at: string }) => (
  <span>
    {label} <time dateTime={at}>{formatMoment(at)}</time>
  </span>
);

interface ListedRowProps {
  name: string;
  /** Paragraphs below the name. */
  about?: ReactNode;
  facts: ReactNode;
  /** Its buttons. */
  children: ReactNode;
}

/** A row of a list of what can be ended: a session, an API token, a passkey, a linked identity. */
export function ListedRow({ name, about, facts, children }: ListedRowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <b>
          <bdi>{name}</bdi>
        </b>
        {about}
        <p className={`num ${styles.facts}`}>{facts}</p>
      </div>
      {children}
    </li>
  );
}
