/** Collect links: the page of their guests, and what their owner does. testing/screens/collect.ts visits their screens in every look. */
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { CollectLink, ImagePage, NewCollectLink } from '../server/contract.ts';
import { addFiles, collector, guestOf, pictures } from '../server/testing/guests/collector.ts';
import { eventually } from './testing/eventually.ts';
import { choose, damaged, largePicture, type Payload } from './testing/files.ts';
import { hold } from './testing/hold.ts';
import { goingOn } from './testing/interrupting.ts';
import { kept } from './testing/kept-files.ts';
import { hasFocus } from './testing/keyboard.ts';
import { openPage, openStage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

t.setTimeout(300_000);

const stage = await openStage(t);
const { app } = stage;
const password = 'rather-a-good-one';
const worked = 'Images uploaded successfully 📸';

const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const own = (page: Page): Locator => page.getByRole('region', { name: 'Your images' });
const namesIn = (place: Locator): Promise<string[]> => place.locator('li bdi').allInnerTexts();

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `picture-${at}.png`);

/** Pictures with different bytes. */
async function payloads(...names: string[]): Promise<Payload[]> {
  const made = await pictures(names);
  return made.map(({ name, bytes }) => ({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) }));
}

/** An owner's link, and a guest's phone that opens it. */
async function visit(t: Test, options: Partial<NewCollectLink> = {}) {
  const owner = await collector(app);
  const link = await owner.link(options);
  const page = await openPage(t, stage, { size: 'phone' });
  await page.goto(link.path);
  await page.getByRole('heading', { name: 'Party' }).waitFor();
  return { owner, link, page };
}

const upload = (page: Page): Promise<void> => button(page, 'Upload').click();

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

t.test('forty pictures survive a lost network and a reload, and each is stored once', async (t) => {
  const { owner, page } = await visit(t);
  const names = numbered(40);
  const { reached, release } = await hold(page, '**/c/*/upload', { method: 'POST' });
  await choose(page, await payloads(...names));
  await eventually(t, () => kept(page), 40, 'the browser keeps them');
  await upload(page);
  await reached;
  await page.context().setOffline(true);
  release();
  await goingOn(page);
  await page.unroute('**/c/*/upload');
  await page.context().setOffline(false);
  await page.reload();
  const collected = async () =>
    (await owner.call('GET')).json<{ collect_links: CollectLink[] }>().collect_links[0]?.files;
  await eventually(t, collected, 40, 'all forty are stored');
  await eventually(t, () => kept(page), 0, 'nothing is left in the browser');
  await own(page).getByText('Page 1 of 2').waitFor();
  t.equal((await owner.ask('GET', '/api/images/?page=1')).json<ImagePage>().total, 40, 'none is stored twice');
});

t.test('a form whose answer is lost is sent again and stored once', async (t) => {
  const { owner, page } = await visit(t);
  const session = await page.context().newCDPSession(page);
  session.once('Fetch.requestPaused', async ({ requestId }) => {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    await session.send('Fetch.disable');
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/c/*/upload', requestStage: 'Response' }] });
  await choose(page, await payloads('one.png', 'two.png'));
  await upload(page);
  await sawToast(t, page, worked);
  t.equal((await owner.idsIn()).length, 2);
});

t.test('a large picture resumes after a reload', async (t) => {
  const { owner, page } = await visit(t);
  const { reached, release } = await hold(page, '**/c/*/uploads/*', { method: 'PATCH' });
  await choose(page, [await largePicture('large.png')]);
  await upload(page);
  await reached;
  await page.unroute('**/c/*/uploads/*');
  release();
  await page.reload();
  await eventually(t, async () => (await owner.idsIn()).length, 1, 'it is stored');
  await eventually(t, () => namesIn(own(page)), ['large.png'], 'it is shown');
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
  await owner.call('DELETE', `/${link.id}`);
  await upload(page);
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
  await page.reload();
  await page.getByText('It accepts no more images.').waitFor();
  await page.goto(`/c/${'x'.repeat(22)}`);
  await page.getByRole('heading', { name: 'Link not found' }).waitFor();
  t.equal((await owner.idsIn()).length, 0);
});

t.test('a new password asks guests again, and they keep their pictures', async (t) => {
  const { owner, link, page } = await visit(t);
  await choose(page, await payloads('one.png'));
  await upload(page);
  await sawToast(t, page, worked);
  await owner.call('PATCH', `/${link.id}`, { password });
  await choose(page, await payloads('two.png', 'three.png'));
  await upload(page);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await eventually(t, () => namesIn(own(page)), ['one.png'], 'the guest is the same');
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

t.test('an owner admits some waiting pictures and refuses others', async (t) => {
  const { account, link, waiting, idsIn } = await collector(app);
  const { path } = await link({ look_first: true });
  await addFiles(app, path, await guestOf(app, path), await pictures(['a.png', 'b.png', 'c.png']));
  const page = await openPage(t, stage, { account });
  await page.goto('/dashboard/images');
  await eventually(t, () => page.getByText('Waiting for you').count(), 3, 'the gallery marks them');
  await page.getByRole('button', { name: /a.png.*Waiting for you/ }).click();
  const shown = page.getByRole('group', { name: /^3 of/ });
  await shown.getByRole('heading', { name: 'This image is waiting for you.' }).waitFor();
  await shown.getByRole('link', { name: 'Admit or refuse it in My links' }).click();
  const section = page.getByRole('region', { name: 'Waiting images' });
  await section.getByLabel('Select a.png').check();
  await section.getByLabel('Select b.png').check();
  await eventually(t, () => section.locator('img[src^="blob:"]').count(), 3, 'the owner sees them');
  await button(section, 'Admit 2 images').click();
  await sawToast(t, page, '2 images added to the album');
  t.equal((await idsIn()).length, 2);
  await section.getByLabel('Select all').check();
  await button(section, 'Refuse 1 image').click();
  await button(page, 'Yes, Delete').click();
  await section.getByText('No images are waiting.').waitFor();
  t.same(await waiting(), []);
});
