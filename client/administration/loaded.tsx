import type { ReactNode } from 'react';
import { reasonOf } from '../api/api-error.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { administration as texts } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import styles from './administration.module.css';

interface LoadedProps<T> {
  query: Query<T>;
  children: (data: T) => ReactNode;
}

/** A part of the page that loads on its own. It keeps what it shows while the next answer loads. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error, fetching } = useQuery(query);
  const shown = useLast(data);
  return (
    <div className={styles.loaded} aria-busy={fetching}>
      {error === undefined ? null : (
        <LoadError
          size="line"
          text={texts.loadFailed}
          reason={reasonOf(error)}
          retry={texts.retry}
          busy={fetching}
          onRetry={() => void queries.fetch(query)}
        />
      )}
      {shown === undefined && error === undefined ? (
        <p className={styles.quiet} role="status">
          {texts.loading}
        </p>
      ) : null}
      {shown === undefined ? null : children(shown)}
    </div>
  );
}
