import { useEffect, useState, useSyncExternalStore } from 'react';
import { useUnfinished } from '../lib/unfinished.ts';
import { useLanguage } from '../text/language.ts';
import { install as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { watchVersion } from './newer-version.ts';
import styles from './page-lines.module.css';

function subscribeToNetwork(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const useIsOffline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine);

/** Lines above every screen: offline, and a new version. They only inform; the user decides when to reload. */
export function PageLines() {
  useLanguage();
  const offline = useIsOffline();
  const unfinished = useUnfinished();
  const [outdated, setOutdated] = useState(false);
  useEffect(() => watchVersion(() => setOutdated(true)), []);
  return (
    <div className={styles.lines} role="status">
      {offline ? (
        <p className={styles.line} data-page-line>
          {texts.offline}
        </p>
      ) : null}
      {outdated && !offline ? (
        <div className={styles.line} data-page-line>
          <p>{unfinished ? texts.newVersionLater : texts.newVersion}</p>
          {unfinished ? null : (
            <Button variant="line" onClick={() => window.location.reload()}>
              {texts.reload}
            </Button>
          )}
        </div>
      ) : null}
    </div>
  );
}
