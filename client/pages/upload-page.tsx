import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { afterPaint } from '../lib/after-paint.ts';
import { routeAt } from '../routes.ts';
import { isMissed, shareIn } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { upload as texts } from '../text/words.ts';
import { PageHead } from '../ui/page/page-head.tsx';
import { followOwner } from '../upload/persist/owner.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { uploads } from '../upload/uploads.ts';
import { createPart, usePart } from '../upload/use-part.ts';
import styles from './upload-page.module.css';

/** The heading and the zone appear first; the list of an earlier visit follows. */
const painted = new Promise<void>((resolve) => afterPaint(resolve));

/** The key of this page's collect link. Its uploads go to the link, not to the account. */
const { link } = routeAt(location.pathname).params;

if (link === undefined) {
  followOwner(uploads, session, async (owner, signal) => {
    await painted;
    const { keepList } = await import('../upload/persist/keep-list.ts');
    await keepList(uploads, owner, signal);
  });
}

/** Lists the pictures of a share. @returns whether the share had any for this account */
async function addShare(id: string): Promise<boolean> {
  const { takeShare } = await import('../install/shares.ts');
  const files = await takeShare(id, session.user()?.id ?? '');
  if (files.length > 0) uploads.add(files);
  return files.length > 0;
}

/** Takes the share named in the URL, once. @returns whether the share is missing */
function useShare(): boolean {
  const share = shareIn(useSearch());
  const [isLost, setLost] = useState(false);
  // The share is in the address that the operating system opened.
  useEffect(() => {
    if (share === undefined || isMissed(share)) return;
    // Removes the id from the URL, so that a reload does not report a missing share.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    addShare(share).then(
      (arrived) => setLost(!arrived),
      () => setLost(true),
    );
  }, [share]);
  return isLost || (share !== undefined && isMissed(share));
}

const usageBar = createPart(async () => (await import('../usage/usage-bar.tsx')).UsageBar);

function OwnUpload() {
  const UsageBar = usePart(usageBar);
  const missed = useShare();
  return (
    <>
      <PageHead title={texts.title}>{UsageBar === undefined ? null : <UsageBar />}</PageHead>
      {missed ? (
        <p className={styles.note} role="status">
          {texts.shareMissed}
        </p>
      ) : null}
      <UploadScreen />
    </>
  );
}

const guestPath = `../c/${link}`;

const GuestScreen = lazy(async () => {
  const { loadScreen } = await import('../guest/load-screen.ts');
  return { default: await loadScreen(guestPath) };
});

/** Uploads to the account, or to a collect link. */
export default function UploadPage() {
  if (link === undefined) return <OwnUpload />;
  return (
    <Suspense>
      <GuestScreen path={guestPath} />
    </Suspense>
  );
}
