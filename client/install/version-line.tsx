import { useEffect, useState } from 'react';
import { useUnfinished } from '../lib/unfinished.ts';
import { useLanguage } from '../text/language.ts';
import { install as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { watchVersion } from './newer-version.ts';
import { useIsOffline } from './offline-line.tsx';
import styles from './page-lines.module.css';

/** The line above every screen while a new version is ready. It only informs; the user decides when to reload. */
export function VersionLine() {
  useLanguage();
  const offline = useIsOffline();
  const unfinished = useUnfinished();
  const [outdated, setOutdated] = useState(false);
  useEffect(() => watchVersion(() => setOutdated(true)), []);
  return (
    <div className={styles.lines} role="status">
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
