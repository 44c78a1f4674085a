import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { strayWords } from '../testing/arabic.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, pngs } from '../testing/files.ts';
import { openGallery } from '../testing/gallery.ts';
import { openStage } from '../testing/stage.ts';
import { goesThroughInArabic } from '../testing/tasks/arabic.ts';

const stage = await openStage(t);
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

t.test('login, upload, search, deletion, video and logout work in Arabic (phone, dark)', (t) =>
  goesThroughInArabic(t, stage, { size: 'phone', colorScheme: 'dark' }),
);

t.test('after a language switch no word of the other language remains', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await button(page, 'العربية').click();
  await eventually(t, () => page.title(), 'معرض الصور', 'the title is Arabic');
  await eventually(t, () => strayWords(page), [], 'in the gallery');
  await page.getByRole('link', { name: 'رفع الصور', exact: true }).click();
  await choose(page, await pngs('one.png', 'two.png'));
  await page.getByText('صورتان جاهزتان للرفع').waitFor();
  await button(page, 'English').click();
  await page.getByText('2 images ready to upload').waitFor();
  await button(page, 'Remove two.png').waitFor();
  await button(page, 'العربية').click();
  await page.getByText('صورتان جاهزتان للرفع').waitFor();
  await eventually(t, () => strayWords(page), [], 'on the upload page');
});
