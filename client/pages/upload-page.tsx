import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { PageHead } from '../layout/page-head.tsx';
import { isMissed, shareIn } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { texts } from '../text/upload.ts';
import { followOwner } from '../upload/owner.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { uploads } from '../upload/uploads.ts';
import { UsageBar } from '../usage/usage-bar.tsx';
import styles from './upload-page.module.css';

followOwner(uploads, session, async (owner, signal) => {
  const { keepQueue } = await import('../upload/browser-queue.ts');
  await keepQueue(uploads, owner, signal);
});

/** Puts what another app shared into the list. @returns whether there was anything for this account */
async function addShare(id: string): Promise<boolean> {
  const { takeShare } = await import('../install/shares.ts');
  const files = await takeShare(id, session.user()?.id ?? '');
  if (files.length > 0) uploads.add(files);
  return files.length > 0;
}

/** Takes the share that the address names, once. @returns whether it did not arrive */
function useShare(): boolean {
  const share = shareIn(useSearch());
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (share === undefined || isMissed(share)) return;
    // The name is used up: a reload takes nothing, and says nothing.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    addShare(share).then(
      (arrived) => setLost(!arrived),
      () => setLost(true),
    );
  }, [share]);
  return isLost || (share !== undefined && isMissed(share));
}

export function UploadPage() {
  const missed = useShare();
  return (
    <>
      <PageHead title={texts.title}>
        <UsageBar />
      </PageHead>
      {missed ? (
        <p className={styles.note} role="status">
          {texts.shareMissed}
        </p>
      ) : null}
      <UploadScreen />
    </>
  );
}
