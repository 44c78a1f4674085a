import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { PageHead } from '../layout/page-head.tsx';
import { missedShare } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { texts } from '../text/upload.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { uploads } from '../upload/uploads.ts';
import { UsageBar } from '../usage/usage-bar.tsx';
import styles from './upload-page.module.css';

// The list belongs to whoever chose its files. A logout forgets it; a session that expired does not: its owner logs in again
// and goes on, anybody else finds nothing.
let owner = session.user()?.id;

/** What this account had pending when the page was left, and from now on what it has. */
async function keep(user: string): Promise<void> {
  const { keepQueue } = await import('../upload/queue.ts');
  await keepQueue(uploads, user, () => owner === user);
}

if (owner !== undefined) keep(owner).catch(() => undefined);
session.onEnd((how) => {
  if (how !== 'ended') return;
  uploads.reset();
  owner = undefined;
});
session.subscribe(() => {
  const user = session.user()?.id;
  if (user === undefined) return;
  if (owner === user) return;
  if (owner !== undefined) uploads.reset();
  owner = user;
  keep(user).catch(() => undefined);
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
