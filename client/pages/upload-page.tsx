import { PageHead } from '../layout/page-head.tsx';
import { session } from '../session/session.ts';
import { texts } from '../text/upload.ts';
import { UploadScreen } from '../upload/upload-screen.tsx';
import { uploads } from '../upload/uploads.ts';
import { UsageBar } from '../usage/usage-bar.tsx';

// The list belongs to whoever chose its files. A logout forgets it; a session that expired does not: its owner logs in again
// and goes on, anybody else finds nothing.
let owner = session.user()?.id;
session.onEnd((how) => {
  if (how === 'ended') uploads.reset();
});
session.subscribe(() => {
  const user = session.user()?.id;
  if (user === undefined) return;
  if (owner !== undefined && owner !== user) uploads.reset();
  owner = user;
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
