/** Shares: their dialog, the page "My links", and what visitors see. testing/screens/shares.ts visits their screens in every look. */
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { Share } from '../../server/contract.ts';
import type { TestAccount } from '../../server/testing/account.ts';
import { eventually } from '../testing/eventually.ts';
import { openGallery, pictureOf, withPictures } from '../testing/gallery.ts';
import { hasFocus } from '../testing/keyboard.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });
const { app } = stage;
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const password = 'rather-a-good-one';

const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
const statusOf = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode;

const post = (account: TestAccount, url: string, payload: object) =>
  app.inject({ method: 'POST', url, headers: account.bearer, payload });

async function sharesOf({ bearer }: TestAccount): Promise<Share[]> {
  return (await app.inject({ url: '/api/shares', headers: bearer })).json().shares;
}

/** @returns the link on the screen, at the server of the test */
async function linkIn(dialog: Locator): Promise<string> {
  return dialog.getByLabel('Link', { exact: true }).inputValue();
}

async function visit(t: Test, url: string): Promise<Page> {
  const page = await openPage(t, stage);
  await page.goto(url);
  return page;
}

t.test('a selection is shared, and its link is copied and shown as a QR code', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png'], clipboard);
  await button(page, 'Select').click();
  await pictureOf(page, 'a.png').click();
  await pictureOf(page, 'c.png').click();
  await button(page, 'Share').click();
  const dialog = dialogOf(page, 'Share 2 images');
  await hasFocus(t, page, 'Title');
  await page.keyboard.type('Harbour');
  await dialog.getByLabel('See filenames and descriptions').uncheck();
  await page.keyboard.press('Enter');
  const made = dialogOf(page, 'Share created');
  await made.getByText('Anyone with this link sees the images.').waitFor();
  await hasFocus(t, page, 'Copy');
  await page.keyboard.press('Enter');
  await button(made, 'Copied!').waitFor();
  const url = await linkIn(made);
  t.equal(await page.evaluate('navigator.clipboard.readText()'), url);
  await button(made, 'QR code').click();
  await page.getByRole('img', { name: `QR code of ${url}` }).waitFor();
  await page.keyboard.press('Escape');
  await button(made, 'Done').click();
  await made.waitFor({ state: 'detached' });

  const visitor = await visit(t, url);
  await visitor.getByRole('heading', { name: 'Harbour' }).waitFor();
  t.equal(await visitor.getByRole('listitem').count(), 2);
  t.notMatch(await visitor.content(), /a\.png/);
});

t.test('a password warns of a permanent link that was copied before, and offers to replace it', async (t) => {
  const { page, images, account } = await openGallery(t, stage, ['a.png', 'b.png'], clipboard);
  const former = images[0]?.url ?? '';
  await pictureOf(page, 'a.png').click();
  const overlay = dialogOf(page, 'a.png');
  await button(overlay, 'Copy').first().click();
  await button(overlay, 'Copied!').waitFor();
  await page.reload();
  await button(overlay, 'Share').click();
  const dialog = dialogOf(page, 'Share 1 image');
  const warning = dialog.getByText('You copied the permanent link of one image before.');
  t.equal(await warning.count(), 0, 'without a password nothing changes');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await warning.waitFor();
  t.equal(await statusOf(former), 200);
  await button(dialog, 'Replace the link').click();
  await warning.waitFor({ state: 'detached' });
  t.equal(await statusOf(former), 404);
  await button(dialog, 'Create link').click();
  const made = dialogOf(page, 'Share created');
  await made.getByText('Send the password separately.').waitFor();

  const visitor = await visit(t, await linkIn(made));
  await visitor.getByLabel('Password').fill('wrong');
  await visitor.keyboard.press('Enter');
  await visitor.getByText('This password is wrong.').waitFor();
  await visitor.getByLabel('Password').fill(password);
  await visitor.keyboard.press('Enter');
  await visitor.getByRole('listitem').waitFor();
  t.match(await sharesOf(account), [{ protected: true, count: 1 }]);
});

t.test('an album gets a short name by consent, is edited on My links, and ended', async (t) => {
  const { account, images } = await withPictures(stage, 'a.png', 'b.png');
  const { album } = (await post(account, '/api/albums', { name: 'Trip' })).json();
  await post(account, `/api/albums/${album.id}/images`, { ids: images.map(({ id }) => id) });
  const page = await openPage(t, stage, { account });
  await page.goto(`/dashboard/albums/${album.id}`);
  await button(page, 'Share').click();
  const dialog = dialogOf(page, 'Share Trip');
  const name = `trip-${account.id.slice(-12)}`;
  await dialog.getByLabel('Short name').fill(name);
  await button(dialog, 'Create link').click();
  await dialog.getByText('Set a password, or agree that anyone who guesses the name sees the images.').waitFor();
  await hasFocus(t, page, 'Anyone who guesses the name sees it');
  await page.keyboard.press('Space');
  await dialog.getByLabel('Short name').fill('admin');
  await button(dialog, 'Create link').click();
  await dialog.getByText('This name is reserved. Choose another one.').waitFor();
  await hasFocus(t, page, 'Short name');
  await dialog.getByLabel('Short name').fill(name);
  await page.keyboard.press('Enter');
  const made = dialogOf(page, 'Share created');
  const url = await linkIn(made);
  t.match(url, new RegExp(`/s/${name}$`));
  await button(made, 'Done').click();
  await visit(t, url);

  await page.goto('/dashboard/links');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Trip' });
  await row.getByText('2 images').waitFor();
  await row.getByText('1 view').waitFor();
  await button(row, 'Edit Trip').click();
  const edit = dialogOf(page, 'Edit share');
  await edit.getByLabel('Title').fill('Journey');
  await edit.getByLabel('Expires').selectOption({ label: 'In 7 days' });
  await button(edit, 'Save').click();
  await sawToast(t, page, 'Share saved');
  const edited = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Journey' });
  await edited.getByText(/^Expires in 7 days/).waitFor();
  await button(edited, 'End Journey').click();
  await button(page, 'Yes, end it').click();
  await sawToast(t, page, 'Share ended');
  await page.getByText('No shares yet.').waitFor();
  t.equal(await statusOf(url), 410);
});

t.test('the slideshow of a share goes from picture to picture, across pages, and stops at the end', async (t) => {
  const { account, images } = await withPictures(stage, 'a.png', 'b.png', 'c.png', 'd.png');
  const ids = [...images.map(({ id }) => id), await oldestOf(account)];
  const { share } = (await post(account, '/api/shares', { name: 'Trip', images: ids })).json();
  const page = await openPage(t, stage);
  await page.clock.install();
  await page.goto(new URL(share.url).pathname);
  await button(page, 'Slideshow').click();
  await dialogOf(page, 'a.png').waitFor();
  await button(dialogOf(page, 'a.png'), 'Pause slideshow').waitFor();
  for (const name of ['b.png', 'c.png', 'd.png']) {
    await page.clock.fastForward(5000);
    await dialogOf(page, name).waitFor();
  }
  t.match(page.url(), /\?page=2$/);
  await page.clock.fastForward(5000);
  await button(dialogOf(page, 'd.png'), 'Play slideshow').waitFor();
  await page.keyboard.press('ArrowLeft');
  await dialogOf(page, 'c.png').waitFor();
  t.equal(await button(page, 'Play slideshow').count(), 1, 'it stays stopped');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await eventually(
    t,
    () => page.evaluate('document.activeElement.querySelector("img")?.alt'),
    'c.png',
    'the focus returns',
  );
});

/** The id of the account's oldest image, which is not on the first page. */
async function oldestOf({ bearer }: TestAccount): Promise<string> {
  return (await app.inject({ url: '/api/images/?page=2', headers: bearer })).json().images[0].id;
}
