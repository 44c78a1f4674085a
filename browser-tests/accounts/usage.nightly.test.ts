import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { choose, pngs } from '../testing/files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

const upload = { name: 'Upload', exact: true };

t.test('the upload page shows the usage and updates it after an upload', async (t) => {
  const stage = await openStage(t, { quotaImages: 3, quota: 5_000_000_000 });
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByText('0 bytes of 5 GB used · 0 of 3 images').waitFor();
  await choose(page, await pngs('one.png', 'two.png'));
  await page.getByRole('button', upload).click();
  await page.getByText(/ of 5 GB used · 2 of 3 images$/).waitFor();
});

t.test('a file over the quota stays listed with the reason, and the account is shown as full', async (t) => {
  const stage = await openStage(t, { quotaImages: 1 });
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png'));
  await page.getByRole('button', upload).click();
  await page.getByText('Full: 1 of 1 image').waitFor();
  const pending = page.getByRole('list', { name: 'Pending' });
  await eventually(t, () => pending.locator('bdi').allInnerTexts(), ['two.png'], 'the file over the quota');
  await pending.getByText(/Your account has no room for this image/).waitFor();
});

t.test('a server without quotas shows no bar', async (t) => {
  const stage = await openStage(t);
  const { page } = await openSignedIn(t, stage, '/login');
  const answered = page.waitForResponse('**/api/images/usage');
  await page.goto('/dashboard/upload');
  await (await answered).finished();
  t.equal(await page.getByText(/ used| of 1 image/).count(), 0);
});
