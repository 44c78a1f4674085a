import { storeFiles } from '../../../server/testing/form.ts';
import { png } from '../files.ts';
import { cardOf, openGallery, pictureOf } from '../gallery.ts';
import { button, showDetails, type Visit } from './visit.ts';

const HOUR = 3_600_000;

export const expiry: Visit = async (visitor) => {
  const { t, stage, options, say, judge } = visitor;
  const { page, account, images } = await openGallery(t, stage, ['a.png'], options);
  await stage.app.inject({
    method: 'PATCH',
    url: `/api/images/${images[0]?.id}`,
    headers: account.bearer,
    payload: { expires_in: '1h' },
  });
  await page.clock.install();
  await page.reload();
  await pictureOf(page, 'a.png').locator('.lucide-hourglass').waitFor();
  await judge(page, 'a card whose image expires');
  await pictureOf(page, 'a.png').click();
  const dialog = page.getByRole('dialog');
  await showDetails(dialog, visitor);
  await button(dialog, say('Change when it expires')).click();
  await dialog.getByRole('combobox').selectOption('date');
  await dialog.getByLabel(say('Date and time'), { exact: true }).fill('2020-01-01T12:00');
  await button(dialog, say('Save')).click();
  await dialog.getByText(say('Choose a time from 5 minutes to 5 years from now.')).waitFor();
  await judge(page, 'the form of an end, and a refused date');
  await page.clock.fastForward(HOUR);
  await dialog.getByText(say('This image has expired.')).waitFor();
  await judge(page, 'an image that expired');
  while ((await dialog.count()) > 0) await page.keyboard.press('Escape');
  await cardOf(page, 'a.png').getByText(say('Expired')).waitFor();
  await judge(page, 'a card whose image expired');
};

export const deleteLink: Visit = async ({ t, stage, options, judge }) => {
  const { page, account } = await openGallery(t, stage, [], options);
  const { name, buffer } = await png('a.png');
  const files = [{ name, bytes: buffer }];
  const [image] = await storeFiles(stage.app, account, files, { query: '?delete_link=1' });
  await page.goto(new URL(String(image?.delete_url)).pathname);
  await page.getByRole('button').waitFor();
  await judge(page, 'a delete link');
  await page.getByRole('button').click();
  await page.getByRole('button').waitFor({ state: 'detached' });
  await judge(page, 'a used delete link');
};
