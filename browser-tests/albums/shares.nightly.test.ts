/** Second cases of shares: keys, warnings and failures. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import type { Share } from '../../server/contract.ts';
import type { TestAccount } from '../../server/testing/account.ts';
import { openGallery, pictureOf, withPictures } from '../testing/gallery.ts';
import { hasFocus } from '../testing/keyboard.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });
const { app } = stage;

const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
const statusOf = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode;

const post = (account: TestAccount, url: string, payload: object) =>
  app.inject({ method: 'POST', url, headers: account.bearer, payload });

async function sharesOf({ bearer }: TestAccount): Promise<Share[]> {
  return (await app.inject({ url: '/api/shares', headers: bearer })).json().shares;
}

t.test('keys in the dialog do not reach the overlay below it, and Esc closes only the dialog', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await pictureOf(page, 'a.png').click();
  const overlay = dialogOf(page, 'a.png');
  await button(overlay, 'Share').click();
  const dialog = dialogOf(page, 'Share 1 image');
  await dialog.getByLabel('Download everything as a ZIP file').focus();
  for (const key of ['ArrowRight', 'Delete', 'i']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(t, page, 'Share');
  await overlay.waitFor();
  t.equal(await page.getByRole('dialog').count(), 1, 'nothing was asked');
});

t.test('My links opens a share and changes its images', async (t) => {
  const { account, images } = await withPictures(stage, 'a.png', 'b.png');
  const [one] = images.map(({ id }) => id);
  const { share } = (await post(account, '/api/shares', { name: 'Harbour', images: [one] })).json<{ share: Share }>();
  const { album } = (await post(account, '/api/albums', { name: 'Trip' })).json();
  await post(account, '/api/shares', { name: 'Journey', album: album.id });
  const page = await openPage(t, stage, { account });
  await page.goto('/dashboard/links');
  const path = new URL(share.url).pathname;
  const open = page.getByRole('link', { name: 'Open Harbour' });
  t.equal(new URL((await open.getAttribute('href')) ?? '').pathname, path);
  await button(page, 'Images of Harbour').click();
  const dialog = dialogOf(page, 'Images of Harbour');
  await button(dialog, 'Add images').click();
  const picker = dialogOf(page, 'Add images to Harbour');
  await picker.getByRole('button', { name: 'b.png' }).click();
  await sawToast(t, page, 'Image added');
  await button(picker, 'Cancel').click();
  await button(dialog, 'Remove a.png').click();
  await sawToast(t, page, 'Image removed from the share');
  await button(dialog, 'Remove a.png').waitFor({ state: 'detached' });
  await button(dialog, 'Remove b.png').waitFor();
  await button(dialog, 'Done').click();
  await page.getByText('1 image').first().waitFor();
  t.match((await app.inject(path)).body, 'b.png');
  await page.getByRole('link', { name: 'Open album' }).first().click();
  await page.getByRole('heading', { name: 'Trip' }).waitFor();
});

t.test('a password for an existing share warns of the links that work without it', async (t) => {
  const { account, images } = await withPictures(stage, 'a.png');
  const ids = images.map(({ id }) => id);
  const { album } = (await post(account, '/api/albums', { name: 'Trip' })).json();
  await post(account, `/api/albums/${album.id}/link`, {});
  await post(account, '/api/shares', { name: 'Journey', album: album.id });
  await post(account, '/api/shares', { name: 'Harbour', images: ids });
  const page = await openPage(t, stage, { account });
  await page.goto('/dashboard/links');
  const edit = dialogOf(page, 'Edit share');
  for (const [name, text] of [
    ['Journey', 'This album also has a public link, which works without the password.'],
    ['Harbour', 'Permanent links of these images that you sent before work without the password.'],
  ] as const) {
    await button(page, `Edit ${name}`).click();
    await edit.getByLabel('Title').waitFor();
    t.equal(await edit.getByText(text).count(), 0);
    await edit.getByLabel('Password', { exact: true }).fill('rather-a-good-one');
    await edit.getByText(text).waitFor();
    await button(edit, 'Cancel').click();
    await edit.waitFor({ state: 'detached' });
  }
  await button(page, 'Edit Harbour').click();
  await edit.getByLabel('See filenames and descriptions').uncheck();
  const originals = edit.getByLabel('Get the originals, without their location');
  t.same([await originals.isChecked(), await originals.isDisabled()], [false, true]);
  await edit.getByText('Originals can contain names').waitFor();
  await button(edit, 'Save').click();
  await sawToast(t, page, 'Share saved');
  t.match((await sharesOf(account))[0], { name: 'Harbour', originals: false, details: false });
});

t.test('My links reports that it could not load the shares, and turns off the public page of an album', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const { album } = (await post(account, '/api/albums', { name: 'Trip' })).json();
  const { url } = (await post(account, `/api/albums/${album.id}/link`, {})).json();
  const page = await openPage(t, stage, { account });
  await page.route('**/api/shares', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto('/dashboard/links');
  await page.getByText("Couldn't load your shares.").waitFor();
  await page.unroute('**/api/shares');
  await button(page.getByRole('main'), 'Retry').click();
  await page.getByText('No shares yet.').waitFor();
  await button(page.getByRole('main'), 'Turn off link').click();
  await button(page, 'Yes, turn it off').click();
  await page.getByText('No album has a public link.').waitFor();
  t.equal(await statusOf(url), 404);
});
