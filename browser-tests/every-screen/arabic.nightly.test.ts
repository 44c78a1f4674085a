import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { arabic, isArabic } from '../testing/arabic.ts';
import { eventually } from '../testing/eventually.ts';
import { cardOf, openGallery, pictureOf } from '../testing/gallery.ts';
import { openScreens, screens } from '../testing/screens.ts';
import { sizes } from '../testing/stage.ts';
import { goesThroughInArabic } from '../testing/tasks/arabic.ts';
import { sawToast, toasts } from '../testing/toasts.ts';

const stage = await openScreens(t);
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
  for (const [name, visit] of screens) {
    t.test(`in Arabic, axe-core reports no violations and nothing scrolls sideways on ${name} (${size})`, (t) =>
      visit(t, stage, { ...arabic, size }, isArabic),
    );
  }
}

t.test('login, upload, search, deletion, video and logout work in Arabic (desktop)', (t) =>
  goesThroughInArabic(t, stage, { size: 'desktop' }),
);

t.test('in Arabic the cards start at the right, and toasts stay at the right', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png'], arabic);
  const first = await pictureOf(page, 'a.png').boundingBox();
  const second = await pictureOf(page, 'b.png').boundingBox();
  t.ok((first?.x ?? 0) > (second?.x ?? 0), 'the newest is the rightmost');
  await page.route('**/api/images/delete/*', (route) => route.abort());
  await button(cardOf(page, 'a.png'), 'حذف').click();
  await button(page, 'نعم، احذف').click();
  await sawToast(t, page, 'تعذّر الحذف', 'انقطع الاتصال.');
  const right = async () => {
    const box = await toasts(page).first().boundingBox();
    return Math.round((box?.x ?? 0) + (box?.width ?? 0));
  };
  await eventually(t, right, 1440 - 16, 'at the right edge');
});
