import type { ImagePage } from '../../../server/contract.ts';
import { texts } from '../../text/gallery.ts';
import styles from './search-notes.module.css';

/** What the server could not read in a search, and looked for as plain text. */
export function SearchNotes({ notes = [] }: { notes: ImagePage['search_notes'] }) {
  const { plain, takes } = texts.searchNotes;
  return (
    <div role="status" className={styles.notes}>
      {notes.map(({ operator, value }) => (
        <p key={`${operator}:${value}`}>
          {plain(`${operator}:${value}`)} {takes[operator as keyof typeof takes] ?? ''}
        </p>
      ))}
    </div>
  );
}
