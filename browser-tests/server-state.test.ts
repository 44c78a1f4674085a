/** What the screens show stays in step with the server: after uploads, in other tabs, and after a logout. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { choose, pngs } from './testing/files.ts';
import { cardNames, galleryPath, openGallery, pictureOf, shows } from './testing/gallery.ts';
import { hold } from './testing/hold.ts';
import { logIn } from './testing/log-in.ts';
import { filesOf, isShown, openSix, overlay } from './testing/overlay.ts';
import { openStage } from './testing/stage.ts';

const stage = await openStage(t, { pageSize: 3 });

/** Uploads by the upload page, one file after another. */
async function uploads(t: Test, page: Page, letters: string): Promise<void> {
  for (const name of filesOf(letters)) {
    await choose(page, await pngs(name));
    const stored = page.waitForResponse('**/api/images/upload');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    t.equal((await stored).status(), 201, `${name} is uploaded`);
    await page.getByRole('list', { name: 'Pending' }).waitFor({ state: 'detached' });
  }
}

t.test('after an upload, the overlay walks across the page border without skipping or repeating', async (t) => {
  const { page } = await openGallery(t, stage, filesOf('fed'));
  await page.getByRole('link', { name: 'Upload Images' }).click();
  await uploads(t, page, 'g');
  await page.getByRole('navigation').getByRole('link', { name: 'View Images' }).click();
  await shows(t, page, 'g.png', 'f.png', 'e.png');
  // Both pages are in the store now.
  await pictureOf(page, 'g.png').click();
  await isShown(t, page, 'g.png');
  for (const name of filesOf('fed')) {
    await page.keyboard.press('ArrowRight');
    await isShown(t, page, name);
  }
  await page.goBack();
  await page.getByRole('link', { name: 'Upload Images' }).click();
  await uploads(t, page, 'hi');
  await page.getByRole('navigation').getByRole('link', { name: 'View Images' }).click();
  await shows(t, page, 'i.png', 'h.png', 'g.png');
  await pictureOf(page, 'i.png').click();
  await isShown(t, page, 'i.png');
  for (const name of filesOf('hgfed')) {
    await page.keyboard.press('ArrowRight');
    await isShown(t, page, name);
  }
  await overlay(page, 'd.png')
    .getByText(/^6 of 6/)
    .waitFor();
});

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
