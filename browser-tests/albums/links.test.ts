/** Replaced links, stable links, and the page "My links". testing/screens/links.ts visits their screens in every look. */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import type { Image } from '../../server/contract.ts';
import { eventually } from '../testing/eventually.ts';
import { openGallery, pictureOf } from '../testing/gallery.ts';
import { hasFocus } from '../testing/keyboard.ts';
import { openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const { app } = stage;

const overlay = (page: Page): Locator => page.getByRole('dialog');
const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });
const statusOf = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode;
const target = async (name: string) => (await app.inject(`/l/${name}`)).headers.location;
const pathOf = (image: Image | undefined) => new URL(image?.url ?? '').pathname;

t.test('a stable link is created in the details, and changed on the page My links', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png', 'b.png']);
  await pictureOf(page, 'a.png').click();
  await button(overlay(page), 'New stable link').click();
  await hasFocus(t, page, 'Name of the stable link');
  await page.keyboard.type('Admin');
  await page.keyboard.press('Enter');
  await overlay(page).getByText('This name is reserved. Choose another one.').waitFor();
  await overlay(page).getByLabel('Name of the stable link').fill('Logo');
  await page.keyboard.press('Enter');
  await sawToast(t, page, 'Stable link created');
  await overlay(page).getByText('/l/logo').waitFor();
  t.equal(await target('logo'), pathOf(images[0]));
  await button(overlay(page), 'Close').click();

  await page.getByRole('link', { name: 'My links' }).click();
  await page.getByRole('heading', { level: 1, name: 'My links' }).waitFor();
  const main = page.getByRole('main');
  await main.getByText('a.png').waitFor();
  await button(main, 'QR code of logo').click();
  await page.getByRole('img', { name: /^QR code of http.+\/l\/logo$/ }).waitFor();
  await button(overlay(page), 'Close').click();

  await button(main, 'Change the image of logo').click();
  await button(overlay(page), 'b.png').click();
  await sawToast(t, page, 'The link now leads to this image');
  await main.getByText('b.png').waitFor();
  t.equal(await target('logo'), pathOf(images[1]));

  await button(main, 'Rename logo').click();
  await main.getByLabel('Name of the stable link').fill('banner');
  await page.keyboard.press('Enter');
  await main.getByText('/l/banner').waitFor();
  t.equal(await target('logo'), undefined);
  t.equal(await target('banner'), pathOf(images[1]));

  await button(main, 'Delete banner').click();
  await button(overlay(page), 'Yes, Delete').click();
  await main.getByText('No stable links yet.').waitFor();
  t.equal(await target('banner'), undefined);
});

t.test('a replaced link is dead, and the overlay shows the new one', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png']);
  const former = images[0]?.url ?? '';
  await pictureOf(page, 'a.png').click();
  await overlay(page).getByText(former, { exact: true }).waitFor();
  await button(overlay(page), 'Replace link').click();
  await overlay(page).getByText('Links to it that you have shared stop working.').waitFor();
  await hasFocus(t, page, 'Cancel');
  await page.keyboard.press('Escape');
  await hasFocus(t, page, 'Replace link');
  t.equal(await statusOf(former), 200, 'Esc changes nothing');
  await page.keyboard.press('Enter');
  await button(overlay(page), 'Replace').click();
  await sawToast(t, page, 'Link replaced. The new one is ready to copy.');
  t.equal(await statusOf(former), 404);
  await eventually(t, () => overlay(page).getByText(former, { exact: true }).count(), 0, 'the former link is gone');
  const shown = (await overlay(page).locator('code').first().textContent()) ?? '';
  t.equal(await statusOf(shown), 200, 'the new link');
});

t.test('the links of a selection are replaced after a question', async (t) => {
  const { page, images } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  await button(page, 'Select').click();
  await pictureOf(page, 'a.png').click();
  await pictureOf(page, 'b.png').click();
  await button(page, 'Copy links').click();
  await page.getByRole('menuitem', { name: 'Replace links…' }).click();
  await overlay(page).getByText('2 images get new links. Links to them that you have shared stop working.').waitFor();
  await button(overlay(page), 'Replace').click();
  await sawToast(t, page, '2 links replaced');
  t.same(await Promise.all(images.map(({ url }) => statusOf(url))), [404, 404, 200]);
});
