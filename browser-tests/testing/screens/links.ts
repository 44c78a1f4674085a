import { openGallery, pictureOf } from '../gallery.ts';
import { button, showDetails, type Visit } from './visit.ts';

export const links: Visit = async (visitor) => {
  const { t, stage, options, say, judge } = visitor;
  const { page, account, images } = await openGallery(t, stage, ['a.png'], options);
  const post = (url: string, payload: object) =>
    stage.app.inject({ method: 'POST', url, headers: account.bearer, payload });
  await page.goto('/dashboard/links');
  await page.getByText(say('No images expire.')).waitFor();
  await judge(page, 'no links');
  const name = `logo-${account.id.slice(-12)}`;
  await post('/api/stable-links', { name, image: images[0]?.id });
  await page.reload();
  const row = page.getByRole('main').getByRole('listitem').first();
  await row.getByText(`/l/${name}`).waitFor();
  await judge(page, 'a stable link');
  await row.getByText(say('QR code'), { exact: true }).click();
  await page.getByRole('dialog').getByRole('img').waitFor();
  await judge(page, 'a QR code');
  await page.keyboard.press('Escape');
  await row.getByText(say('Change image'), { exact: true }).click();
  await page.getByRole('dialog').getByText('a.png').waitFor();
  await judge(page, 'the choice of another image');
  await page.keyboard.press('Escape');
  await row.getByText(say('Rename'), { exact: true }).click();
  await page.getByLabel(say('Name of the stable link')).fill('-');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('textbox', { description: /./ }).waitFor();
  await judge(page, 'a refused name');

  await page.goto('/dashboard/images');
  await pictureOf(page, 'a.png').click();
  const dialog = page.getByRole('dialog');
  await showDetails(dialog, visitor);
  await button(dialog, say('Replace link')).click();
  await button(dialog, say('Replace')).waitFor();
  await judge(page, 'the question before a link is replaced');
};
