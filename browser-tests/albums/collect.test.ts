/** Collect links: the page of their guests, and what their owner does. testing/screens/collect.ts visits their screens in every look. */
import t from 'tap';
import type { CollectLink, ImagePage } from '../../server/contract.ts';
import { addFiles, collector, guestOf, pictures } from '../../server/testing/guests/collector.ts';
import { wordsFor } from '../testing/checks/words.ts';
import { button, dialogOf, loaded, namesIn, own, payloads, upload, visitorOf } from '../testing/collecting.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, damaged } from '../testing/files.ts';
import { kept } from '../testing/kept-files.ts';
import { hasFocus } from '../testing/keyboard.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';
import { behindWorker } from '../testing/worker.ts';

t.setTimeout(300_000);

const stage = await openStage(t);
const visit = visitorOf(stage);
const { app } = stage;
const password = 'rather-a-good-one';
const worked = 'Images uploaded successfully 📸';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `picture-${at}.png`);

t.test('a guest gives a name and the password, adds pictures and removes one', async (t) => {
  const { owner, page } = await visit(t, { asks_name: true, look_first: true, password });
  await page.getByLabel('Your name').fill('Noor');
  await page.getByLabel('Password', { exact: true }).fill('something else');
  await button(page, 'Continue').click();
  await page.getByText('This password is wrong.').waitFor();
  await hasFocus(t, page, 'Password');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByText('Room for 500 images').waitFor();
  await choose(page, [...(await payloads('one.png', 'two.png')), await damaged('broken.jpg')]);
  await upload(page);
  await sawToast(t, page, 'Upload failed. Please try again.', '2 of 3 images uploaded, 1 failed. See why under it.');
  await eventually(t, async () => (await namesIn(own(page))).sort(), ['one.png', 'two.png'], 'both are shown');
  t.equal(await own(page).getByText('Waiting for the owner').count(), 2);
  await page.getByText('Room for 498 images').waitFor();
  await button(own(page), 'Remove one.png').click();
  await button(page.getByRole('dialog'), 'Remove').click();
  await sawToast(t, page, 'Image removed');
  await eventually(t, () => namesIn(own(page)), ['two.png'], 'one is left');
  t.match(await owner.waiting(), [{ filename: 'two.png', guest: 'Noor' }]);
  await page.reload();
  await eventually(t, () => namesIn(own(page)), ['two.png'], 'the guest is known after a reload');
  t.equal(await page.getByRole('link', { name: 'View Images' }).count(), 0, 'guests have no gallery');
});

t.test('forty images survive a lost network and a reload without it, and each is stored once', async (t) => {
  const arabic = { locale: 'ar-EG' };
  const say = wordsFor(arabic);
  const { owner, link, page } = await visit(t, {}, { ...arabic, serviceWorkers: 'allow' });
  await behindWorker(page);
  const names = numbered(40);
  await choose(page, await payloads(...names));
  await eventually(t, () => kept(page), 40, 'the browser keeps them');
  await page.context().setOffline(true);
  await button(page, say('Upload')).click();
  await page.getByText(say('Connection lost. Reconnecting…')).first().waitFor();
  await page.reload();
  await page.getByRole('status').getByText(say('You are offline.'), { exact: true }).waitFor();
  await page.getByText('يحتفظ هذا المتصفح').waitFor();
  t.equal(await kept(page), 40, 'they are still kept');
  const below = await page.context().newPage();
  await t.rejects(below.goto(`${link.path}/i/code/screen.webp`), 'what is below the link is not replaced by the page');
  await below.close();
  await page.context().setOffline(false);
  const collected = async () =>
    (await owner.call('GET')).json<{ collect_links: CollectLink[] }>().collect_links[0]?.files;
  await eventually(t, collected, 40, 'all forty are stored');
  await eventually(t, () => kept(page), 0, 'nothing is left in the browser');
  await eventually(
    t,
    async () => (await page.locator('section li bdi').allInnerTexts()).length > 0,
    true,
    'they are shown',
  );
  t.equal((await owner.ask('GET', '/api/images/?page=1')).json<ImagePage>().total, 40, 'none is stored twice');
});

t.test('a full link explains why it accepts nothing, and removing a picture makes room', async (t) => {
  const { owner, page } = await visit(t, { max_files: 2, open: true });
  await page.getByText('The album is empty.').waitFor();
  await choose(page, await payloads('one.png', 'two.png', 'three.png'));
  await upload(page);
  await sawToast(t, page, 'Upload failed. Please try again.', '2 of 3 images uploaded, 1 failed. See why under it.');
  await button(page, 'Remove three.png').click();
  await page.getByText('This link is full and accepts no more images.').waitFor();
  await eventually(
    t,
    () => page.getByRole('region', { name: 'Album' }).locator('li').count(),
    2,
    'the album shows both',
  );
  await button(own(page), 'Remove two.png').click();
  await button(page.getByRole('dialog'), 'Remove').click();
  await page.getByText('Room for 1 image').waitFor();
  t.equal((await owner.idsIn()).length, 1);
});

t.test('a link that ends while its page is open refuses the next upload in plain words', async (t) => {
  const { owner, link, page } = await visit(t);
  await choose(page, await payloads('one.png'));
  await eventually(t, () => kept(page), 1, 'the browser keeps it');
  await owner.call('DELETE', `/${link.id}`);
  await upload(page);
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
  await eventually(t, () => kept(page), 0, 'until the link has ended');
  await page.reload();
  await page.getByText('It accepts no more images.').waitFor();
  await page.goto(`/c/${'x'.repeat(22)}`);
  await page.getByRole('heading', { name: 'Link not found' }).waitFor();
  t.equal((await owner.idsIn()).length, 0);
});

t.test('after the end a guest still sees and removes own images, and another one nothing', async (t) => {
  const { owner, link, page } = await visit(t);
  await choose(page, await payloads('one.png', 'two.png'));
  await upload(page);
  await sawToast(t, page, worked);
  await owner.call('DELETE', `/${link.id}`);
  await page.reload();
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
  await eventually(t, async () => (await namesIn(own(page))).sort(), ['one.png', 'two.png'], 'both are shown');
  for (const name of ['one.png', 'two.png']) {
    await button(own(page), `Remove ${name}`).click();
    await button(page.getByRole('dialog'), 'Remove').click();
    await button(own(page), `Remove ${name}`).waitFor({ state: 'detached' });
  }
  await own(page).getByText('You have no images here any more.').waitFor();
  t.equal((await owner.idsIn()).length, 0);
  await page.reload();
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
  t.equal(await own(page).count(), 0, 'a guest without images sees none');
});

t.test('a new password asks guests again, and they keep their images, also those not sent yet', async (t) => {
  const { owner, link, page } = await visit(t);
  await choose(page, await payloads('one.png'));
  await upload(page);
  await sawToast(t, page, worked);
  await owner.call('PATCH', `/${link.id}`, { password });
  await choose(page, await payloads('two.png', 'three.png'));
  await upload(page);
  await page.getByText('The images you chose stay here.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  const pending = page.getByRole('list', { name: 'Pending' });
  await eventually(t, async () => (await namesIn(own(page))).join(), 'one.png', 'the guest is the same');
  t.same(await namesIn(pending), ['two.png', 'three.png'], 'the chosen images are still listed');
  await upload(page);
  await eventually(
    t,
    async () => (await namesIn(own(page))).sort(),
    ['one.png', 'three.png', 'two.png'],
    'they arrive',
  );
});

t.test('an owner creates a link on the album page, edits and ends it on My links', async (t) => {
  const { account, album, call } = await collector(app);
  const page = await openPage(t, stage, { account });
  await page.goto(`/dashboard/albums/${album}`);
  await button(page, 'Collect images').click();
  const dialog = dialogOf(page, 'Collect images for Inner name');
  await hasFocus(t, page, 'Title');
  await page.keyboard.type('Party');
  await dialog.getByLabel('See the whole album').check();
  await dialog.getByLabel('Most images').fill('20');
  await button(dialog, 'Create link').click();
  const made = dialogOf(page, 'Collect link created');
  const url = await made.getByLabel('Link', { exact: true }).inputValue();
  await button(made, 'Done').click();
  t.match((await call('GET')).json().collect_links, [
    { name: 'Party', open: true, look_first: true, max_files: 20, max_bytes: 10_000_000_000, protected: false },
  ]);

  await page.goto('/dashboard/links');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Party' });
  await row.getByText('0 of 20 images').waitFor();
  await button(row, 'QR code of Party').click();
  await page.getByRole('img', { name: `QR code of ${url}` }).waitFor();
  await page.keyboard.press('Escape');
  await button(row, 'Edit Party').click();
  const edit = dialogOf(page, 'Edit collect link');
  await edit.getByLabel('Password', { exact: true }).fill('password');
  await button(edit, 'Save').click();
  await edit.getByText(/common/).waitFor();
  await edit.getByLabel('Password', { exact: true }).fill(password);
  await edit.getByLabel('Most GB').fill('0.5');
  await button(edit, 'Save').click();
  await sawToast(t, page, 'Collect link saved');
  t.match((await call('GET')).json().collect_links, [{ max_bytes: 500_000_000, protected: true, max_files: 20 }]);
  await button(row, 'End Party').click();
  await button(page, 'Yes, end it').click();
  await sawToast(t, page, 'Collect link ended');
  await page.getByText('No collect links yet.').waitFor();
});

t.test('an owner admits some waiting images and refuses others', async (t) => {
  const { account, link, waiting, idsIn } = await collector(app);
  const { path } = await link({ look_first: true });
  await addFiles(app, path, await guestOf(app, path), await pictures(['a.png', 'b.png', 'c.png']));
  const page = await openPage(t, stage, { account });
  await page.goto('/dashboard/images');
  await eventually(t, () => page.getByText('Waiting for you').count(), 3, 'the gallery marks them');
  await page.getByRole('button', { name: /a.png.*Waiting for you/ }).click();
  const shown = page.getByRole('group', { name: /^3 of/ });
  await shown.getByRole('heading', { name: 'This image is waiting for you.' }).waitFor();
  await loaded(t, shown.getByRole('img', { name: 'a.png' }));
  await shown.getByRole('link', { name: 'Admit or refuse it in My links' }).click();
  const section = page.getByRole('region', { name: 'Waiting images' });
  await section.getByLabel('Select a.png').check();
  await section.getByLabel('Select b.png').check();
  await eventually(t, () => section.locator('img[src^="data:"]').count(), 3, 'the owner sees them');
  await button(section, 'Admit 2 images').click();
  await sawToast(t, page, '2 images added to the album');
  t.equal((await idsIn()).length, 2);
  await section.getByLabel('Select all').check();
  await button(section, 'Refuse 1 image').click();
  const question = dialogOf(page, 'Refuse 1 image?');
  await question.getByText('It is deleted permanently.').waitFor();
  await button(question, 'Refuse 1 image').click();
  await section.getByText('No images are waiting.').waitFor();
  t.same(await waiting(), []);
});
