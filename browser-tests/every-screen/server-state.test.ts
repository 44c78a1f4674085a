/** What the screens show stays in step with the server: after uploads, in other tabs, and after a logout. */
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { cardNames, galleryPath, openGallery, pictureOf, shows } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { logIn } from '../testing/log-in.ts';
import { filesOf, isShown, openSix, overlay, uploads } from '../testing/overlay.ts';
import { openStage } from '../testing/stage.ts';

const stage = await openStage(t, { pageSize: 3 });

t.test('an upload in another tab appears, and an open overlay follows its picture to the next page', async (t) => {
  const page = await openSix(t, stage);
  await pictureOf(page, 'd.png').click();
  await isShown(t, page, 'd.png');
  const other = await page.context().newPage();
  await other.goto('/dashboard/upload');
  await uploads(t, other, 'gh');
  await overlay(page, 'd.png')
    .getByText(/^5 of 8/)
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'c.png');
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'b.png');
  await overlay(page, 'b.png')
    .getByText(/^7 of 8/)
    .waitFor();
  await page.keyboard.press('Escape');
  await shows(t, page, 'b.png', 'a.png');
});

t.test('a logout in one tab leaves nothing in the other', async (t) => {
  const { page } = await openGallery(t, stage, filesOf('ba'));
  const other = await page.context().newPage();
  await other.goto(galleryPath);
  await shows(t, other, 'b.png', 'a.png');
  const next = await signIn(stage.app);
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await other.waitForURL('**/login');
  t.equal(await other.getByText('a.png').count(), 0);
  const { reached, release } = await hold(other, '**/api/images/?*');
  await logIn(other, next);
  await other.getByRole('navigation').getByRole('link', { name: 'View Images' }).click();
  await reached;
  t.same(await cardNames(other), [], 'before the answer');
  release();
  await other.getByText('No images found.').waitFor();
});
