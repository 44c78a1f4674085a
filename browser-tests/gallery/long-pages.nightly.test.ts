/** Gallery pages of a hundred images. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { cardNames, openGallery } from '../testing/gallery.ts';
import { areSelected, bar, selectButton, tool } from '../testing/selecting.ts';
import { openStage } from '../testing/stage.ts';

t.setTimeout(300_000);

const stage = await openStage(t, { pageSize: 100 });
const names = Array.from({ length: 101 }, (_, index) => `${index + 1}.png`);
const hundred = names.slice(0, 100);

/** Whether a card's picture is rendered. */
const isDrawn = (page: Page, number: number) =>
  page.evaluate<boolean>(
    `document.querySelectorAll('[data-picture] img')[${number - 1}].checkVisibility({ contentVisibilityAuto: true })`,
  );

/** Clicks a button, then the first picture before anything can be painted. */
const pressBoth = (page: Page, button: string) =>
  page.evaluate(`(async () => {
    ${button}.click();
    await new Promise(queueMicrotask);
    document.querySelector('[data-picture]').click();
  })()`);

for (const size of ['desktop', 'phone'] as const) {
  t.test(`of a hundred cards, those far from the window are not rendered and keep their size (${size})`, async (t) => {
    const { page } = await openGallery(t, stage, hundred, { size });
    t.equal(await isDrawn(page, 1), true);
    await eventually(t, () => isDrawn(page, 100), false, 'the last one is not rendered');
    const height = () => page.evaluate<number>('document.documentElement.scrollHeight');
    const before = await height();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await eventually(t, () => isDrawn(page, 100), true, 'it is rendered when visible');
    await eventually(t, () => isDrawn(page, 1), false, 'the first one is no longer rendered');
    t.equal(await height(), before, 'rendering does not change the height');
  });
}

t.test('a click right after Select selects, and one right after Cancel opens', async (t) => {
  const { page } = await openGallery(t, stage, hundred);
  await pressBoth(page, `document.getElementById('select-images')`);
  await areSelected(t, page, ['1.png']);
  t.equal(await page.getByRole('dialog').count(), 0, 'no image opens');
  await tool(page, 'Cancel').waitFor();
  await pressBoth(page, `[...document.querySelectorAll('[role="toolbar"] > button')].at(-1)`);
  await page.getByRole('dialog', { name: '1.png' }).waitFor();
});

t.test('a whole page is selected and deselected', async (t) => {
  const { page } = await openGallery(t, stage, names.slice(1), {});
  await selectButton(page).click();
  await tool(page, 'Select all').click();
  await areSelected(t, page, names.slice(1));
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await eventually(t, () => page.locator('main li :checked').count(), 0, 'nothing is selected');
  t.same(await cardNames(page), names.slice(1));
});
