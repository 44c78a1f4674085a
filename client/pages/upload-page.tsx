import { PageHead } from '../layout/page-head.tsx';
import { session } from '../session/session.ts';
import { texts } from '../text/upload.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { uploads } from '../upload/uploads.ts';
import { UsageBar } from '../usage/usage-bar.tsx';

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

export function UploadPage() {
  return (
    <>
      <PageHead title={texts.title}>
        <UsageBar />
      </PageHead>
      <UploadScreen />
    </>
  );
}
