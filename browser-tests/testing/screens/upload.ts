import type { Page } from 'playwright-core';
import { choose, damaged, pngs } from '../files.ts';
import { openSignedIn } from '../stage.ts';
import { sawToast } from '../toasts.ts';
import { button, type Visit } from './visit.ts';

/** Pastes `count` files that are not pictures. */
const paste = (page: Page, count: number) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    for (let n = 1; n <= ${count}; n += 1) data.items.add(new File([String(n)], 'file-' + n + '.png', { type: 'image/png' }));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);

export const upload: Visit = async ({ t, stage, options, say, judge }) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', options);
  await button(page, say('Upload')).waitFor();
  await judge(page, 'upload, empty');
  await button(page, say('Upload')).click();
  await sawToast(t, page, say('Please select at least one image.'));
  const long = `${'a-very-long-name-'.repeat(8)}.png`;
  await choose(page, [...(await pngs('one.png', long)), await damaged('cut.jpg')]);
  await page.getByRole('heading', { name: say('Pending'), exact: true }).waitFor();
  await judge(page, 'upload, pending');
  await page.route('**/api/images/upload', () => {}, { times: 1 });
  await button(page, say('Upload')).click();
  await button(page, say('Uploading...')).waitFor();
  await judge(page, 'upload, running');
  await button(page, say('Pause')).click();
  await button(page, say('Resume')).waitFor();
  await judge(page, 'upload, paused');
  await button(page, say('Cancel')).click();
  await button(page, say('Upload')).click();
  await sawToast(t, page, say('Upload failed. Please try again.'));
  await page.getByRole('region', { name: say('Last upload') }).waitFor();
  await judge(page, 'upload, failed, with its receipt');
  await page.context().setOffline(true);
  await page.getByText(say('You are offline.')).waitFor();
  await judge(page, 'offline');
  await page.context().setOffline(false);
  await button(page, say('Clear all')).click();
  await paste(page, 1000);
  await page
    .getByRole('list', { name: say('Pending') })
    .getByText('file-1.png')
    .waitFor();
  await judge(page, 'upload, a thousand files');
};
