import { storeFiles } from '../../../server/testing/form.ts';
import { eventually } from '../eventually.ts';
import { pngs } from '../files.ts';
import { naturalWidth } from '../in-page.ts';
import { openSignedIn } from '../stage.ts';
import { button, heading, type Visit } from './visit.ts';

const list = '/dashboard/albums';

export const albums: Visit = async ({ t, stage, options, say, judge }) => {
  const { page, account } = await openSignedIn(t, stage, list, options);
  await page.getByText(say('No albums yet.')).waitFor();
  await judge(page, 'albums, none');
  await button(page, say('New album')).click();
  await page.getByLabel(say('Album name')).fill('صيف ٢٠٢٥');
  await judge(page, 'a new album');
  await page.keyboard.press('Enter');
  await page.getByText(say('No images in this album yet.')).waitFor();
  await judge(page, 'an album, empty');

  const files = (await pngs('a.png', 'b.png', `${'long-name-'.repeat(12)}.png`)).map(({ name, buffer }) => ({
    name,
    bytes: buffer,
  }));
  const ids = (await storeFiles(stage.app, account, files)).map(({ id }) => id);
  const album = new URL(page.url()).pathname.split('/').at(-1);
  const url = `/api/albums/${album}/images`;
  await stage.app.inject({ method: 'POST', url, headers: account.bearer, payload: { ids } });
  await page.reload();
  const picture = page.getByRole('img', { name: 'a.png', exact: true });
  await eventually(t, () => naturalWidth(picture), 64, 'the album has loaded');
  await judge(page, 'an album');
  await button(page, say('Rename')).click();
  await page.getByLabel(say('Album name')).waitFor();
  await button(page, say('Create public link')).click();
  await button(page, say('Turn off link')).waitFor();
  await judge(page, 'an album with a public link, and its name being changed');
  const link = await page
    .getByRole('region', { name: say('Public link') })
    .getByRole('textbox')
    .inputValue();
  await button(page, say('Turn off link')).click();
  await button(page, say('Yes, turn it off')).waitFor();
  await judge(page, 'the question before a link is ended');

  await page.goto(list);
  await page.getByRole('link', { name: 'صيف ٢٠٢٥' }).waitFor();
  await judge(page, 'albums');
  await button(page, say('Rename')).click();
  await page.getByLabel(say('Album name')).waitFor();
  await judge(page, 'albums, one being renamed');
  await page.goto(`${list}/${crypto.randomUUID()}`);
  await page.getByText(say('This album no longer exists.')).waitFor();
  await judge(page, 'an album that is gone');

  const states = { 'the public page': new URL(link).pathname, 'a dead link': `/a/${'x'.repeat(22)}` };
  for (const [state, path] of Object.entries(states)) {
    await page.goto(path);
    await heading(page);
    await judge(page, state);
  }
};
