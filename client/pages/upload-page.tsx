import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { PageHead } from '../layout/page-head.tsx';
import { missedShare } from '../session/guard.tsx';
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

/** Puts what other apps shared into the list. Where the browser keeps nothing, nothing was shared. */
async function addShares(): Promise<void> {
  const { takeShares } = await import('../install/shares.ts');
  const files = await takeShares();
  if (files.length > 0) uploads.add(files);
}

export function UploadPage() {
  const missed = useSearch() === missedShare;
  useEffect(() => void addShares().catch(() => undefined), []);
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
