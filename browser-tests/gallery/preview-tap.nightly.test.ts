/** A tap on the overlay's picture hides the controls, and a second one shows them. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { openGallery, pictureOf } from '../testing/gallery.ts';
import { openStage } from '../testing/stage.ts';

const stage = await openStage(t);
const overlay = (page: Page) => page.getByRole('dialog', { name: 'a.png', exact: true });
const picture = (page: Page) =>
  overlay(page).getByRole('img', { name: 'a.png', exact: true }).and(page.locator('[data-state="there"]'));

/** Opacity of the bar, the arrows and the phone's buttons. */
const seen = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('dialog [data-chrome]')]
    .filter((one) => getComputedStyle(one).display !== 'none')
    .map((one) => getComputedStyle(one).opacity)`);
const all = ['1', '1', '1', '1'];
const none = ['0', '0', '0', '0'];

async function openOnPhone(t: Parameters<typeof openGallery>[0]): Promise<Page> {
  const { page } = await openGallery(t, stage, ['a.png'], { size: 'phone' });
  await pictureOf(page, 'a.png').tap();
  await picture(page).waitFor();
  t.same(await seen(page), all, 'the bar, both arrows and the buttons');
  await picture(page).tap();
  await eventually(t, () => seen(page), none, 'only the picture');
  return page;
}

t.test('a tap hides the controls, and the next one shows them', async (t) => {
  const page = await openOnPhone(t);
  await findsNothing(t, page, 'a picture alone');
  await picture(page).tap();
  await eventually(t, () => seen(page), all, 'the controls are back');
});

t.test('keyboard focus shows the hidden controls', async (t) => {
  const page = await openOnPhone(t);
  await page.keyboard.press('Tab');
  await eventually(t, () => seen(page), all, 'the controls are back');
});

t.test('a tap outside the picture closes the overlay, even with hidden controls', async (t) => {
  const page = await openOnPhone(t);
  await page.touchscreen.tap(195, 150);
  await overlay(page).waitFor({ state: 'detached' });
});

t.test('a tap on the picture first closes the sheet over it', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png'], { size: 'phone' });
  await pictureOf(page, 'a.png').tap();
  await picture(page).waitFor();
  await overlay(page).getByRole('button', { name: 'Copy as' }).tap();
  const sheet = overlay(page).getByRole('complementary', { name: 'Copy as' });
  await sheet.waitFor();
  await picture(page).dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true, clientX: 0, clientY: 0 });
  await picture(page).dispatchEvent('click', { bubbles: true, clientX: 0, clientY: 0 });
  await sheet.waitFor({ state: 'detached' });
  t.same(await seen(page), all, 'the controls stay');
});

t.test('a mouse click keeps the controls visible', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await page.clock.install();
  await pictureOf(page, 'a.png').click();
  await overlay(page).getByRole('img', { name: 'a.png', exact: true }).first().click();
  await page.clock.runFor(1000);
  t.equal(await page.locator('[data-bare]').count(), 0);
});
