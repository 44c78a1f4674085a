import { storeFiles } from '../../../server/testing/form.ts';
import { eventually } from '../eventually.ts';
import { pngs } from '../files.ts';
import { cardOf, galleryPath, openGallery, pictureOf } from '../gallery.ts';
import { naturalWidth } from '../in-page.ts';
import { sawToast } from '../toasts.ts';
import { button, heading, showDetails, type Visit } from './visit.ts';

export const gallery: Visit = async ({ t, stage, options, say, judge }) => {
  const { page, account } = await openGallery(t, stage, [], options);
  await page.getByText(say('No images found.')).waitFor();
  await judge(page, 'gallery, empty');
  await page.route('**/api/images/?*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await page.reload();
  await sawToast(t, page, say('Failed to load images'));
  await judge(page, 'gallery, failed');
  await page.route('**/api/images/?*', () => {}, { times: 1 });
  await page.reload();
  await page.getByText(say('Loading images')).waitFor({ state: 'attached' });
  await judge(page, 'gallery, loading');

  const files = await pngs('c.png', 'b.png', `${'long-name-'.repeat(12)}.png`);
  for (const { name, buffer } of files) await storeFiles(stage.app, account, [{ name, bytes: buffer }]);
  await page.goto(galleryPath);
  await button(page, say('Next')).waitFor();
  await eventually(t, () => naturalWidth(pictureOf(page, 'b.png').getByRole('img')), 64, 'the thumbnail has loaded');
  await judge(page, 'gallery, full');
  await page.locator('summary').click();
  await page.getByRole('searchbox').fill('size:>abc');
  await page.getByText(say('No images found.')).waitFor();
  await page.getByRole('status').getByText('size:>abc').waitFor();
  await judge(page, 'search tips, and a note on what was searched');
};

export const selection: Visit = async ({ t, stage, options, say, judge }) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png'], options);
  await button(page, say('Select')).click();
  const bar = page.getByRole('toolbar', { name: say('Selection') });
  await bar.waitFor();
  await judge(page, 'nothing selected');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await judge(page, 'two selected');
  await button(bar, say('Copy links')).click();
  await page.getByRole('menuitem').first().waitFor();
  await judge(page, 'the forms of links');
  await page.keyboard.press('Escape');
  await button(bar, say('Delete')).click();
  await button(page, say('Yes, Delete')).waitFor();
  await judge(page, 'the question before two are deleted');
};

export const overlay: Visit = async (visitor) => {
  const { t, stage, options, say, judge } = visitor;
  const { page } = await openGallery(t, stage, ['a.png', 'b.png'], options);
  await pictureOf(page, 'a.png').click();
  const dialog = page.getByRole('dialog', { name: 'a.png' });
  const image = dialog.getByRole('img', { name: 'a.png', exact: true });
  await eventually(t, () => naturalWidth(image), 64, 'it has loaded');
  await judge(page, 'overlay');
  await button(dialog, say('Delete')).click();
  await button(page, say('Yes, Delete')).waitFor();
  await judge(page, 'question above the overlay');
  await page.keyboard.press('Escape');
  await showDetails(dialog, visitor);
  const rename = dialog.locator('button:has(.lucide-pencil)');
  await rename.waitFor();
  await judge(page, 'details');
  await rename.click();
  await dialog.getByRole('textbox').first().waitFor();
  await judge(page, 'the form of a name and a description');
  while ((await dialog.count()) > 0) await page.keyboard.press('Escape');
  await button(cardOf(page, 'b.png'), say('Delete')).click();
  await button(page, say('Yes, Delete')).waitFor();
  await judge(page, 'question');
};

export const shell: Visit = async ({ t, stage, options, say, judge }) => {
  const { page } = await openGallery(t, stage, ['a.png'], options);
  await heading(page);
  const more = button(page, say('More'));
  const narrower = button(page, say('Collapse sidebar'));
  if (await more.isVisible()) {
    await more.click();
    await page.getByRole('link', { name: say('Settings') }).waitFor();
    await judge(page, 'the menu of the tab More');
  } else if (await narrower.isVisible()) {
    await narrower.click();
    await judge(page, 'beside the narrow sidebar');
  }
};
