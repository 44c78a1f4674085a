import { addFiles, collector, guestOf, pictures } from '../../../server/testing/guests/collector.ts';
import { choose, damaged, pngs } from '../files.ts';
import { openPage } from '../stage.ts';
import { button, type Visit } from './visit.ts';

const password = 'rather-a-good-one';

/** What the owner of a collect link sees. */
export const collecting: Visit = async ({ t, stage, options, say, judge }) => {
  const { account, album, link, ask } = await collector(stage.app);
  await ask('PATCH', `/api/albums/${album}`, { name: 'حفل' });
  const page = await openPage(t, stage, { ...options, account });
  await page.goto(`/dashboard/albums/${album}`);
  await button(page, say('Collect images')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Most images')).waitFor();
  await judge(page, 'a new collect link');
  await button(dialog, say('Create link')).click();
  await dialog.getByText(say('Anyone with this link can add images.')).waitFor();
  await judge(page, 'a created collect link');
  const { path } = await link({ name: 'صيف ٢٠٢٥', look_first: true, password, expires_in: '7d' });
  const guest = await guestOf(stage.app, path, { password });
  await addFiles(stage.app, path, guest, await pictures(['a.png', 'b.png', 'c.png']));
  await page.goto('/dashboard/links');
  const section = page.getByRole('region', { name: say('Waiting images') });
  await section.locator('img[src^="data:"]').first().waitFor();
  await section.getByLabel(say('Select all')).check();
  await judge(page, 'collect links and waiting images');
  await page.goto('/dashboard/images');
  await page.getByText(say('Waiting for you')).first().waitFor();
  await judge(page, 'waiting images in the gallery');
  await page.getByRole('main').getByRole('button', { name: /c.png/ }).first().click();
  await page.getByText(say('This image is waiting for you.')).first().waitFor();
  await judge(page, 'a waiting image');
};

/** What guests see. */
export const guests: Visit = async ({ t, stage, options, say, judge }) => {
  const { link, call, waiting } = await collector(stage.app);
  const { id, path } = await link({
    name: 'حفل',
    asks_name: true,
    password,
    look_first: true,
    open: true,
    expires_in: '7d',
  });
  const page = await openPage(t, stage, options);
  await page.goto(path);
  await page.getByLabel(say('Your name')).fill('نور');
  await judge(page, 'the question for a name and a password');
  await page.locator('input[type="password"]').fill('wrong-password');
  await page.keyboard.press('Enter');
  await page.getByText(say('This password is wrong.')).waitFor();
  await judge(page, 'a wrong password');
  await page.locator('input[type="password"]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByText(say('The album is empty.')).waitFor();
  await judge(page, 'a link without images');
  await choose(page, [...(await pngs('one.png', 'two.png', 'three.png')), await damaged('broken.jpg')]);
  await judge(page, 'chosen images');
  await button(page, say('Upload')).click();
  await page.getByText(say('Waiting for the owner')).first().waitFor();
  const [first] = await waiting();
  await call('POST', '/waiting/admit', { ids: [first?.id] });
  await page.reload();
  await page
    .getByRole('region', { name: say('Album') })
    .locator('li')
    .first()
    .waitFor();
  await judge(page, 'own images and the album');
  await page
    .getByRole('region', { name: say('Your images') })
    .getByText(say('Remove'))
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await judge(page, 'the question before an image is removed');
  await call('PATCH', `/${id}`, { max_files: 1 });
  await page.reload();
  await page.getByRole('heading', { name: say('Your images') }).waitFor();
  await judge(page, 'a full link');
  await call('DELETE', `/${id}`);
  await page.reload();
  await page.getByText(say('This link has ended')).waitFor();
  await judge(page, 'an ended link');
};
