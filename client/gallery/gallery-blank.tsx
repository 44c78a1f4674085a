import { CircleAlert, RotateCw } from 'lucide-react';
import { texts } from '../text/gallery.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyMosaic } from '../ui/mosaic.tsx';
import styles from './gallery-blank.module.css';

/** Nothing to show: with a search that found nothing, or in a gallery that has nothing yet. */
export function EmptyGallery({ searching }: { searching: boolean }) {
  return (
    <div className={styles.blank}>
      <div className={styles.words} role="status">
        <EmptyMosaic />
        <p className={styles.big}>{texts.empty}</p>
      </div>
      {searching ? null : (
        <ButtonLink variant="line" href="/dashboard/upload">
          {texts.upload}
        </ButtonLink>
      )}
    </div>
  );
}

export function FailedGallery({ hasCards, busy, onRetry }: { hasCards: boolean; busy: boolean; onRetry: () => void }) {
  return (
    <div className={styles.blank} data-small={hasCards || undefined}>
      <CircleAlert className={styles.alert} />
      <p className={styles.big}>{texts.loadFailed}</p>
      <Button variant="line" busy={busy} onClick={onRetry}>
        {busy ? null : <RotateCw />}
        {texts.retry}
      </Button>
    </div>
  );
}
