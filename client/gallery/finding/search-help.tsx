import { ChevronRight } from 'lucide-react';
import { finding as texts } from '../../text/words.ts';
import styles from './search-help.module.css';

/** Adds an example to a search, unless the search already contains it. */
export function withExample(search: string, example: string): string {
  if (` ${search} `.includes(` ${example} `)) return search;
  return search.trim() === '' ? example : `${search.trim()} ${example}`;
}

/** Explains the search syntax, with examples to press. */
export function SearchHelp({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const { label, intro, examples, quotes } = texts.searchHelp;
  return (
    <details className={styles.help}>
      <summary>
        <ChevronRight className={`flip ${styles.chevron}`} />
        {label}
      </summary>
      <div className={styles.words}>
        <p>{intro}</p>
        <ul>
          {Object.entries(examples).map(([example, words]) => (
            <li key={example}>
              <button type="button" onClick={() => onSearch(withExample(search, example))}>
                <code dir="ltr">{example}</code>
              </button>
              <span>{words}</span>
            </li>
          ))}
        </ul>
        <p>{quotes}</p>
      </div>
    </details>
  );
}
