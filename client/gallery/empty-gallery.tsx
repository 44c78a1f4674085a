import { emptyGallery as hints, gallery as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyMosaic } from '../ui/mosaic.tsx';
import styles from './gallery-blank.module.css';

/** The gallery without images: the search found none, or nothing has been uploaded. */
export function EmptyGallery({ searching, onShowAll }: { searching: boolean; onShowAll: () => void }) {
  return (
    <div className={styles.blank}>
      <div className={styles.words} role="status">
        <EmptyMosaic />
        <p className={styles.big}>{texts.empty}</p>
        <p className={styles.hint}>{searching ? hints.searchHint : hints.hint}</p>
      </div>
      {searching ? (
        <Button variant="line" onClick={onShowAll}>
          {hints.showAll}
        </Button>
      ) : (
        <ButtonLink variant="line" href="/dashboard/upload">
          {texts.upload}
        </ButtonLink>
      )}
    </div>
  );
}
