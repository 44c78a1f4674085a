import { ArrowDownUp } from 'lucide-react';
import { finding as texts } from '../../text/words.ts';
import { type Address, isSort, sortParameters } from '../address.ts';
import type { Go } from '../use-address.ts';
import styles from './sort-select.module.css';

/** The order of the gallery. A change goes to page 1 and adds a history entry. */
export function SortSelect({ address, go }: { address: Address; go: Go }) {
  const { label, newest, ...others } = texts.sort;
  const choose = (value: string): void => {
    const { sort: _, ...rest } = address;
    go({ ...rest, page: 1, deleted: 0, ...(isSort(value) ? { sort: value } : {}) }, 'push');
  };
  return (
    <div className={styles.sort}>
      <ArrowDownUp />
      <select
        aria-label={label}
        value={sortParameters(address).sort === undefined ? '' : address.sort}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{newest}</option>
        {Object.entries(others).map(([sort, word]) => (
          <option key={sort} value={sort}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}
