import type { ImagePage } from '../../../server/contract.ts';
import { finding as texts } from '../../text/words.ts';
import styles from './search-notes.module.css';

/** Lists the operators that the server could not parse and searched for as plain text. */
export function SearchNotes({ notes = [] }: { notes: ImagePage['search_notes'] }) {
  return (
    <div role="status" className={styles.notes}>
      {notes.map(({ operator, value }) => (
        <p key={`${operator}:${value}`}>{texts.searchNotes.plain(`${operator}:${value}`)}</p>
      ))}
    </div>
  );
}
