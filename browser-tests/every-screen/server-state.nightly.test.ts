/** What the screens show stays in step with the server: during calls, in albums, and in other tabs. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { choose, pngs } from '../testing/files.ts';
import { galleryPath, openGallery, pictureOf, shows } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { filesOf, isShown, openSix, overlay, uploads } from '../testing/overlay.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { openAlbum } from '../testing/tasks/albums.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });

t.test('an answer that is not JSON, as from a captive portal, shows an error and a retry', async (t) => {
  const { page } = await openSignedIn(t, stage, galleryPath);
  const portal = '**/api/albums/';
  await page.route(portal, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Log in to the Wi-Fi</h1>' }),
  );
  await page.getByRole('link', { name: 'Albums' }).click();
  const alert = page.getByRole('alert').filter({ hasText: "Couldn't load your albums." });
  await alert.waitFor();
  await page.unroute(portal);
  await alert.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('No albums yet.').waitFor();
});

t.test('a second press of Delete while a deletion runs does nothing', async (t) => {
  const { page } = await openGallery(t, stage, filesOf('ba'));
  const deletions: string[] = [];
  page.on('request', (request) => request.method() === 'DELETE' && deletions.push(request.url()));
  const { reached, release } = await hold(page, '**/api/images/delete/*');
  await pictureOf(page, 'b.png').click();
  await isShown(t, page, 'b.png');
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: 'Are you sure?' });
  await question.getByRole('button', { name: 'Yes, Delete' }).click();
  await reached;
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('Delete');
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  t.equal(await question.count(), 0);
  release();
  await isShown(t, page, 'a.png');
  await sawToast(t, page, 'Image deleted.');
  t.equal(deletions.length, 1);
});

/** Presses Move later twice while the first call is held. */
async function movesOnce(t: Test, page: Page, said: RegExp): Promise<void> {
  const moves: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && moves.push(request.url()));
  const { reached, release } = await hold(page, /\/api\/albums\//, { method: 'PATCH' });
  const later = page.getByRole('button', { name: 'Move later' }).first();
  await later.click();
  await reached;
  await later.click();
  release();
  await page.getByRole('status').getByText(said).waitFor();
  t.equal(moves.length, 1, `${said}`);
}

t.test('a second press of Move while a picture or an album moves does nothing', async (t) => {
  const { page, account, kept } = await openAlbum(t, stage, 'abc');
  await movesOnce(t, page, /^a\.png is now 2 of 3$/);
  t.equal(await kept(), 'bac');
  const second = { url: '/api/albums/', headers: account.bearer, payload: { name: 'Northeast' } };
  await stage.app.inject({ method: 'POST', ...second });
  await page.goto('/dashboard/albums');
  await movesOnce(t, page, / is now 2 of 2$/);
});

t.test('after the overlay has crossed a page border, the focused card is in the window', async (t) => {
  const page = await openSix(t, stage, { viewport: { width: 480, height: 300 } });
  await pictureOf(page, 'd.png').scrollIntoViewIfNeeded();
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await pictureOf(page, 'd.png').click();
  await isShown(t, page, 'd.png');
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'c.png');
  await page.keyboard.press('Escape');
  await overlay(page, 'c.png').waitFor({ state: 'detached' });
  const id = await pictureOf(page, 'c.png').getAttribute('id');
  await eventually(t, () => page.evaluate<string>('document.activeElement.id'), id, 'it has the focus');
  // The browser restores scroll positions after the change of history.
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)))');
  const place = await pictureOf(page, 'c.png').boundingBox();
  t.ok(place && place.y < 300 && place.y + place.height > 0, `it is at ${place?.y}`);
});

t.test('an album’s picture opens in the overlay, which continues on the next page', async (t) => {
  const { page, images } = await openAlbum(t, stage, 'abcd');
  await page.getByRole('main').getByRole('listitem').nth(1).locator('[data-picture]').click();
  await isShown(t, page, 'b.png');
  await overlay(page, 'b.png')
    .getByText(/^2 of 4/)
    .waitFor();
  await page.getByRole('button', { name: 'Rename or describe' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('a blue square');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await sawToast(t, page, 'Saved');
  t.equal(await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).count(), 0);
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'c.png');
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'd.png');
  t.equal(new URL(page.url()).search, '?page=2');
  await page.keyboard.press('Escape');
  await overlay(page, 'd.png').waitFor({ state: 'detached' });
  const focused = () => page.evaluate("document.activeElement.closest('li')?.querySelector('bdi').textContent");
  await eventually(t, focused, 'd.png', 'its card has the focus');
  await page.getByRole('button', { name: 'Prev' }).click();
  await page.getByRole('img', { name: 'a blue square' }).waitFor();
  t.equal(new URL(page.url()).search, '');
  await page.goBack();
  await eventually(
    t,
    () => page.getByRole('main').locator('li p bdi').allInnerTexts(),
    ['d.png'],
    'Back turns the page',
  );
  t.equal(images.length, 4);
});

t.test('an album that is deleted in another tab is no longer shown', async (t) => {
  const { page } = await openAlbum(t, stage, 'ab');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Delete', exact: true }).click();
  await other.getByRole('button', { name: 'Yes, Delete' }).click();
  await sawToast(t, other, 'Album deleted');
  await page.getByText('This album no longer exists.').waitFor();
  t.equal(await page.getByRole('main').locator('li p bdi').count(), 0);
});

t.test('a change of the profile appears in another tab', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/settings');
  const other = await page.context().newPage();
  await other.goto('/dashboard/settings');
  const username = (of: Page) => of.getByLabel('Username');
  await eventually(t, () => username(other).inputValue(), await username(page).inputValue(), 'the same at first');
  await username(page).fill('renamed-here');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await sawToast(t, page, 'Saved');
  await eventually(t, () => username(other).inputValue(), 'renamed-here', 'the other tab follows');
});

t.test('a logout withdraws an offer to undo, which names a file', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('secret.png'));
  await page.getByRole('button', { name: 'Remove secret.png' }).click();
  await page.getByText('Removed secret.png').first().waitFor();
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await page.waitForURL('**/login');
  await page.getByText('secret.png').waitFor({ state: 'detached', timeout: 3000 });
});

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
