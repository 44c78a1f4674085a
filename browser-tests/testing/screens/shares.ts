import { openGallery, pictureOf } from '../gallery.ts';
import { button, heading, type Visit } from './visit.ts';

const password = 'rather-a-good-one';

export const shares: Visit = async ({ t, stage, options, say, judge }) => {
  const { page, account, images } = await openGallery(t, stage, ['a.png', 'b.png'], options);
  await button(page, say('Select')).click();
  await pictureOf(page, 'a.png').click();
  await pictureOf(page, 'b.png').click();
  await button(page, say('Share')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Short name')).fill(`trip-${account.id.slice(-12)}`);
  await judge(page, 'a new share');
  await button(dialog, say('Create link')).click();
  await dialog.getByText(say('Set a password, or agree that anyone who guesses the name sees the images.')).waitFor();
  await judge(page, 'a short name without consent');
  await dialog.getByLabel(say('Password'), { exact: true }).fill(password);
  await button(dialog, say('Create link')).click();
  await dialog
    .getByText(say('Anyone with this link and the password sees the images. Send the password separately.'))
    .waitFor();
  await judge(page, 'a created share');
  const path = new URL(await dialog.getByRole('textbox').inputValue()).pathname;
  await button(dialog, say('Done')).click();

  const ids = images.map(({ id }) => id);
  const open = await stage.app.inject({
    method: 'POST',
    url: '/api/shares',
    headers: account.bearer,
    payload: { name: 'صيف ٢٠٢٥', images: ids, expires_in: '7d' },
  });
  await page.goto('/dashboard/links');
  await page.getByRole('main').getByText('صيف ٢٠٢٥').waitFor();
  await judge(page, 'shares');
  const rows = page.getByRole('main').getByRole('listitem');
  await rows.filter({ hasNotText: 'صيف' }).getByText(say('Edit'), { exact: true }).click();
  await dialog.getByLabel(say('Remove the password')).waitFor();
  await judge(page, 'the settings of a share');
  await page.keyboard.press('Escape');
  await rows.first().getByText(say('End'), { exact: true }).click();
  await button(page, say('Yes, end it')).waitFor();
  await judge(page, 'the question before a share is ended');

  await page.goto(new URL(open.json().share.url).pathname);
  await heading(page);
  await judge(page, 'the page of a share');
  await page.getByRole('listitem').first().getByRole('link').click();
  await dialog.getByRole('button').first().waitFor();
  await judge(page, 'a picture of a share');
  await page.goto(path);
  await heading(page);
  await judge(page, 'the question for a password');
  await page.locator('input[type="password"]').fill('wrong-password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await judge(page, 'a wrong password');
  await page.goto(`/s/${'x'.repeat(22)}`);
  await heading(page);
  await judge(page, 'no share');
};
