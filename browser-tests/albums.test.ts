import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { storeFiles } from '../server/testing/form.ts';
import { picture } from '../server/testing/pictures.ts';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { openPage, openSignedIn, openStage, type PageOptions } from './testing/stage.ts';

const stage = await openStage(t, { pageSize: 3 });

/** An account with an album of images; shots go where ALBUM_SHOTS says. */
async function withAlbum(t: Test, options: PageOptions, count = 3) {
  const account = await signIn(stage.app);
  const files = Array.from({ length: count }, async (_, index) => ({
    name: `${index}.png`,
    bytes: await picture({ width: 300 + index, height: 200 }),
  }));
  const images = await storeFiles(stage.app, account, await Promise.all(files));
  const post = (path: string, payload: object) =>
    stage.app.inject({ method: 'POST', url: `/api/albums/${path}`, headers: account.bearer, payload });
  const { album } = (await post('', { name: 'Southwest' })).json();
  await post(`${album.id}/images`, { ids: images.map(({ id }) => id) });
  const { page } = await openSignedIn(t, stage, '/dashboard/albums', { ...options, account });
  return { page, account, album };
}

/** What the focused control says. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

const namesOf = (page: Page) => page.getByRole('main').locator('p bdi').allInnerTexts();

t.test('an album is made, renamed and deleted by the keyboard alone', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/albums');
  await page.getByText('No albums yet.').waitFor();
  await page.getByRole('button', { name: 'New album' }).press('Enter');
  await page.getByLabel('Album name').press('Escape');
  await eventually(t, () => focused(page), 'New album', 'what opened the form has the focus again');
  await page.getByRole('button', { name: 'New album' }).press('Enter');
  await page.getByLabel('Album name').pressSequentially('First');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
  await page.getByRole('link', { name: 'All albums' }).press('Enter');
  await page.getByRole('button', { name: 'Rename' }).press('Enter');
  await page.keyboard.type('Second');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Second' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('Delete this album? Its images stay in your gallery.').waitFor();
  await page.getByRole('button', { name: 'Yes, Delete' }).press('Enter');
  await page.getByText('No albums yet.').waitFor();
  await eventually(t, () => focused(page), 'Albums', 'the heading has the focus where no album is left');
});

t.test('the focus stays beside what was changed in an album, and a turned page is said', async (t) => {
  const { page } = await withAlbum(t, {}, 4);
  await page.getByRole('link', { name: 'Southwest' }).press('Enter');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const has = (name: string, message: string) => eventually(t, () => focused(page), name, message);
  await press('Rename');
  await page.keyboard.press('Escape');
  await has('Rename', 'the name stays');
  await press('Rename');
  await page.keyboard.type('Northeast');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Northeast' }).waitFor();
  await has('Rename', 'the name is kept');
  await press('Make a public link');
  await has('Copy', 'the link is made');
  await press('End link');
  await press('Yes, end it');
  await has('Make a public link', 'the link is ended');
  await press('Next');
  await page.getByRole('status').getByText('Page 2 of 2', { exact: true }).waitFor();
  await has('Next', 'the last page is shown');
  t.equal(await page.evaluate('scrollY'), 0, 'from its top');
  await press('Prev');
  await page.getByRole('status').getByText('Page 1 of 2', { exact: true }).waitFor();
  await has('Prev', 'the first page is shown');
});

t.test('images are put in order, also over the edge of a page, and taken out', async (t) => {
  const { page } = await withAlbum(t, {}, 4);
  await page.getByRole('link', { name: 'Southwest' }).click();
  await eventually(t, () => namesOf(page), ['0.png', '1.png', '2.png'], 'as they were added');
  await page.getByRole('button', { name: 'Move later' }).nth(2).press('Enter');
  await eventually(t, () => namesOf(page), ['0.png', '1.png', '3.png'], 'the last one went over the edge');
  await page.getByRole('button', { name: 'Move earlier' }).nth(1).press('Enter');
  await eventually(t, () => namesOf(page), ['1.png', '0.png', '3.png'], 'the second one is the first');
  await page.getByRole('button', { name: 'Remove' }).first().click();
  await eventually(t, () => namesOf(page), ['0.png', '3.png', '2.png'], 'one has left the album');
  await page.getByRole('button', { name: 'Set as cover' }).first().click();
  await page.getByRole('button', { name: 'Cover', exact: true }).waitFor();
});

t.test('a public link is made, opened by a stranger, and ended', async (t) => {
  const { page } = await withAlbum(t, {});
  await page.getByRole('link', { name: 'Southwest' }).click();
  await page.getByRole('button', { name: 'Make a public link' }).click();
  const url = await page.getByLabel('Public link', { exact: true }).getByRole('textbox').inputValue();
  const stranger = await openPage(t, stage);
  await stranger.goto(url);
  await stranger.getByRole('heading', { name: 'Southwest' }).waitFor();
  t.equal(await stranger.getByRole('listitem').count(), 3);
  await page.getByRole('button', { name: 'End link' }).click();
  await page.getByRole('button', { name: 'Yes, end it' }).click();
  await page.getByRole('button', { name: 'Make a public link' }).waitFor();
  t.equal((await stranger.reload())?.status(), 404);
  await stranger.getByRole('heading', { name: 'This album is not here' }).waitFor();
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`axe-core finds nothing on the albums (${size})`, async (t) => {
    const { page, account, album } = await withAlbum(t, { size }, 4);
    const shot = async (of: Page, name: string) => {
      const folder = process.env.ALBUM_SHOTS;
      if (folder) await of.screenshot({ path: `${folder}/${name}-${size}.png` });
    };
    await page.getByRole('link', { name: 'Southwest' }).waitFor();
    await findsNothing(t, page, 'the list');
    await shot(page, 'list');
    await page.getByRole('link', { name: 'Southwest' }).click();
    await page.getByRole('button', { name: 'Make a public link' }).click();
    await page.getByRole('button', { name: 'End link' }).waitFor();
    await findsNothing(t, page, 'an album');
    await shot(page, 'album');
    const linked = await stage.app.inject({
      method: 'POST',
      url: `/api/albums/${album.id}/link`,
      headers: account.bearer,
    });
    const stranger = await openPage(t, stage, { size });
    await stranger.goto(new URL(linked.json().url).pathname);
    await findsNothing(t, stranger, 'the public page');
    await shot(stranger, 'public');
    await stranger.goto(`/a/${'x'.repeat(22)}`);
    await findsNothing(t, stranger, 'a dead link');
    await shot(stranger, 'dead');
  });
}
