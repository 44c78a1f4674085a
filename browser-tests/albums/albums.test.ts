import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { eventually } from '../testing/eventually.ts';
import { openPage, openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';
import { addsToAlbum } from '../testing/tasks/add-to-album.ts';

const stage = await openStage(t, { pageSize: 3 });

/** Opens the albums page of an account that has one album with images. */
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

/** Creates the public link of an album. @returns its path */
async function publicPath({ bearer: headers }: TestAccount, { id }: { id: string }): Promise<string> {
  const answer = await stage.app.inject({ method: 'POST', url: `/api/albums/${id}/link`, headers });
  return new URL(answer.json().url).pathname;
}

/** Text of the focused control. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

const namesOf = (page: Page) => page.getByRole('main').locator('p bdi').allInnerTexts();

t.test('an album is created, renamed and deleted by keyboard', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/albums');
  await page.getByText('No albums yet.').waitFor();
  await page.getByRole('button', { name: 'New album' }).press('Enter');
  await page.getByLabel('Album name').press('Escape');
  await eventually(t, () => focused(page), 'New album', 'the focus returns to the button');
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
  await eventually(t, () => focused(page), 'Albums', 'without albums the heading has the focus');
});

t.test('images are reordered, also across pages, and removed', async (t) => {
  const { page } = await withAlbum(t, {}, 4);
  await page.getByRole('link', { name: 'Southwest' }).click();
  await eventually(t, () => namesOf(page), ['0.png', '1.png', '2.png'], 'as they were added');
  await page.getByRole('button', { name: 'Move later' }).nth(2).press('Enter');
  await eventually(t, () => namesOf(page), ['0.png', '1.png', '3.png'], 'the last one moved to the next page');
  await page.getByRole('button', { name: 'Move earlier' }).nth(1).press('Enter');
  await eventually(t, () => namesOf(page), ['1.png', '0.png', '3.png'], 'the second one is now first');
  await page.getByRole('button', { name: 'Remove' }).first().click();
  await eventually(t, () => namesOf(page), ['0.png', '3.png', '2.png'], 'one has left the album');
  await page.getByRole('button', { name: 'Set as cover' }).first().click();
  const cover = page.getByRole('button', { name: 'Remove as cover', exact: true });
  await cover.waitFor();
  t.equal(await cover.getAttribute('aria-pressed'), null, 'only its word changes');
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`a name without spaces stays inside the card and the page (${size})`, async (t) => {
    const { page, account, album } = await withAlbum(t, { size });
    const url = `/api/albums/${album.id}`;
    const name = 'x'.repeat(100);
    await stage.app.inject({ method: 'PATCH', url, headers: account.bearer, payload: { name } });
    const isInside = () =>
      page.evaluate<boolean>('document.documentElement.scrollWidth === document.documentElement.clientWidth');
    await page.reload();
    const link = page.getByRole('link', { name });
    const card = page.getByRole('listitem').filter({ has: link });
    t.ok(((await link.boundingBox())?.width ?? 0) <= ((await card.boundingBox())?.width ?? 0), 'inside the card');
    t.ok(await isInside(), 'the list of albums');
    await link.click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    t.ok(await isInside(), 'the album');
  });
}

t.test('a public link is created, opened without a login, and ended', async (t) => {
  const { page } = await withAlbum(t, {});
  await page.getByRole('link', { name: 'Southwest' }).click();
  await page.getByRole('button', { name: 'Create public link' }).click();
  const url = await page.getByLabel('Public link', { exact: true }).getByRole('textbox').inputValue();
  const stranger = await openPage(t, stage);
  await stranger.goto(url);
  await stranger.getByRole('heading', { name: 'Southwest' }).waitFor();
  t.equal(await stranger.getByRole('listitem').count(), 3);
  await page.getByRole('button', { name: 'Turn off link' }).click();
  await page.getByRole('button', { name: 'Yes, turn it off' }).click();
  await page.getByRole('button', { name: 'Create public link' }).waitFor();
  t.equal((await stranger.reload())?.status(), 404);
  await stranger.getByRole('heading', { name: "This album isn't available" }).waitFor();
});

t.test('a visitor of a public link walks its pictures in the overlay, across pages', async (t) => {
  const { account, album } = await withAlbum(t, {}, 4);
  const page = await openPage(t, stage);
  await page.goto(await publicPath(account, album));
  const pictureNamed = (name: string) => page.getByRole('link', { name });
  await pictureNamed('2.png').click();
  const dialog = page.getByRole('dialog', { name: '2.png' });
  await dialog.getByRole('button', { name: 'Close' }).waitFor();
  t.equal(await dialog.getByText('3 of 4').count(), 1);
  t.equal(await dialog.getByRole('button', { name: /Delete|Edit/ }).count(), 0, 'nothing that only the owner may do');
  const saved = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).first().click();
  t.equal((await saved).suggestedFilename(), '2.png');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: '3.png' }).waitFor();
  t.match(page.url(), /\?page=2$/);
  await page.keyboard.press('Escape');
  await eventually(t, () => page.evaluate('document.activeElement.querySelector("img")?.alt'), '3.png', 'focused');
  await pictureNamed('3.png').click();
  await page.getByRole('dialog', { name: '3.png' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('dialog', { name: '2.png' }).waitFor();
  await page.reload();
  await page.getByRole('dialog', { name: '2.png' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

t.test('without scripts, a picture of a public link opens as a file', async (t) => {
  const { account, album } = await withAlbum(t, {});
  const page = await openPage(t, stage, { javaScriptEnabled: false });
  await page.goto(await publicPath(account, album));
  await page.getByRole('link', { name: '1.png' }).click();
  await page.waitForURL(/\/i\//);
});

t.test('two selected images are added to a new album and removed again (phone)', (t) =>
  addsToAlbum(t, stage, { size: 'phone' }),
);
