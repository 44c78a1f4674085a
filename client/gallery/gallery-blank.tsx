import { CircleAlert, RotateCw } from 'lucide-react';
import { gallery as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import styles from './gallery-blank.module.css';

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
