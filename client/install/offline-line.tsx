import { useSyncExternalStore } from 'react';
import { shell as texts } from '../text/words.ts';
import styles from './page-lines.module.css';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => !navigator.onLine);

/** The line above every screen while the browser is offline. It is part of the first script: a page may start offline. */
export function OfflineLine() {
  const offline = useIsOffline();
  return (
    <div className={styles.lines} role="status">
      {offline ? (
        <p className={styles.line} data-page-line>
          {texts.offline}
        </p>
      ) : null}
    </div>
  );
}
