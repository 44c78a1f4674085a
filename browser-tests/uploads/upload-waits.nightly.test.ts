import t from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { storedFiles } from '../../server/testing/disk.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { openSocket } from '../../server/testing/socket.ts';
import { choose, pngs } from '../testing/files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

const dataDir = await temporaryFolder(t);
const stage = await openStage(t, { dataDir, options: { admission: { inAll: 1 } } });

t.test('an upload waits for a busy server with a countdown, then continues', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  const head = `Host: a\r\nAuthorization: ${account.bearer.authorization}\r\nContent-Type: multipart/form-data; boundary=x`;
  const part = '--x\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\nbytes';
  const { socket, send } = await openSocket(stage.origin);
  await send(`POST /api/images/upload HTTP/1.1\r\n${head}\r\nContent-Length: 9999\r\n\r\n${part}`);
  // Not another upload from a page, which might be admitted first.
  await eventually('the upload is being staged', async () =>
    (await storedFiles(dataDir)).some((file) => file.startsWith('staging')),
  );

  await choose(page, await pngs('one.png', 'two.png'));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const busy = page.getByText(/Server is busy\. Retrying in \d+ s/);
  await busy.filter({ visible: true }).first().waitFor();
  await page.getByRole('status').filter({ has: busy }).waitFor({ state: 'attached' });
  t.ok(await page.getByRole('button', { name: 'Uploading...', exact: true }).isDisabled());
  t.same(await notedToasts(page), [], 'no error is shown');

  socket.destroy();
  await sawToast(t, page, 'Images uploaded successfully 📸');
});
