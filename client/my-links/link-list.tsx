import { type ReactNode, useId } from 'react';
import { reasonOf } from '../api/api-error.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useQuery } from '../query/use-query.ts';
import { links as texts } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import styles from './my-links.module.css';

interface LinkListProps<T> {
  title: string;
  about: string;
  /** In place of an empty list. */
  empty: string;
  /** A button below that. */
  fill?: ReactNode;
  failed: string;
  query: Query<T>;
  rows: (data: T) => readonly ReactNode[];
  /** Below the rows. */
  foot?: (data: T) => ReactNode;
}

/** A section of the page: a list that loads on its own. */
export function LinkList<T>({ title, about, empty, fill, failed, query, rows, foot }: LinkListProps<T>) {
  const id = useId();
  const { data, error, fetching } = useQuery(query);
  const shown = data === undefined ? undefined : rows(data);
  return (
    <section className={styles.section} aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>{title}</h2>
      <p className={styles.about}>{about}</p>
      {error === undefined ? null : (
        <LoadError
          size="line"
          text={failed}
          reason={reasonOf(error)}
          retry={texts.retry}
          busy={fetching}
          onRetry={() => void queries.fetch(query)}
        />
      )}
      {shown === undefined && error === undefined ? (
        <p className={styles.waiting} role="status">
          {texts.loading}
        </p>
      ) : null}
      {shown?.length === 0 ? (
        <>
          <p className={styles.empty}>{empty}</p>
          {fill === undefined ? null : <p>{fill}</p>}
        </>
      ) : null}
      {shown && shown.length > 0 ? <ul className={styles.list}>{shown}</ul> : null}
      {data === undefined ? null : foot?.(data)}
    </section>
  );
}
