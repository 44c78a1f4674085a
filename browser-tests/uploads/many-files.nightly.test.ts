/** Thousands of pending files. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { takesFiles } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { kept } from '../testing/kept-files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

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

/** Counts the write transactions of IndexedDB, and the keys they set or remove. */
const countWrites = `
  window.__writes = { transactions: 0, keys: 0 };
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...options) {
    if (options[1] === 'readwrite') window.__writes.transactions += 1;
    return begin.apply(this, options);
  };
  for (const name of ['put', 'delete']) {
    const write = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (...values) {
      window.__writes.keys += 1;
      return write.apply(this, values);
    };
  }`;

t.test('Upload, Cancel and Clear all write few keys for five thousand files', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', {
    prepare: (context) => context.addInitScript(countWrites),
  });
  await takesFiles(t, page);
  await paste(page, 5000);
  await eventually(t, () => kept(page), 5000, 'all files are stored');
  const { reached } = await hold(page, '**/api/images/upload');
  const writes = () => page.evaluate<{ transactions: number; keys: number }>('window.__writes');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const press = async (name: string, isDone: () => Promise<unknown>, keys: number) => {
    await page.evaluate('window.__writes = { transactions: 0, keys: 0 }');
    await button(name).click();
    await isDone();
    // The writes follow the answer to the press.
    await eventually(t, async () => (await writes()).keys, keys, `${name} writes ${keys} keys`);
    t.ok((await writes()).transactions <= 2, 'in few transactions');
  };
  // One mark, and the keys of one request.
  await press('Upload', () => reached, 101);
  await press('Cancel', () => button('Clear all').waitFor(), 1);
  await press('Clear all', () => page.getByText('No images chosen yet').waitFor(), 1);
  await eventually(t, () => kept(page), 0, 'nothing is stored any more');
});

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
