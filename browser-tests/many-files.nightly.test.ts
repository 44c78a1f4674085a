/** Thousands of pending files. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { takesFiles } from './testing/files.ts';
import { openSignedIn, openStage } from './testing/stage.ts';

t.setTimeout(300_000);

const stage = await openStage(t);

/** Pastes `count` files that are not pictures. */
const paste = (page: Page, count: number) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    for (let n = 1; n <= ${count}; n += 1) data.items.add(new File([String(n)], 'file-' + n + '.txt', { type: 'text/plain' }));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);

const tiles = (page: Page) => page.getByRole('list', { name: 'Pending' }).getByRole('listitem');

for (const size of ['desktop', 'phone'] as const) {
  t.test(`of five thousand files, only those near the window are rendered (${size})`, async (t) => {
    const { page } = await openSignedIn(t, stage, '/dashboard/upload', { size });
    await takesFiles(t, page);
    await paste(page, 5000);
    await page.getByText('5,000 images').or(page.getByText('5000 images')).first().waitFor();
    await eventually(t, async () => (await tiles(page).count()) < 150, true, 'few tiles are rendered');
    const first = tiles(page).first();
    t.equal(await first.getAttribute('aria-setsize'), '5000');
    t.equal(await first.getAttribute('aria-posinset'), '1');
    await findsNothing(t, page, 'five thousand files');
    const toTheEnd = async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return page.getByText('file-5000.txt').isVisible();
    };
    await eventually(t, toTheEnd, true, 'the last tile is reached');
    t.equal(await tiles(page).last().getAttribute('aria-posinset'), '5000');
    t.ok((await tiles(page).count()) < 150);
    await page.getByRole('button', { name: 'Remove file-5000.txt' }).click();
    await eventually(t, () => tiles(page).last().getAttribute('aria-setsize'), '4999', 'one file fewer');
    await page.evaluate('scrollTo(0, 0)');
    await page.getByText('file-1.txt').waitFor();
  });
}
