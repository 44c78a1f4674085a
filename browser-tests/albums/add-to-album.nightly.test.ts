/** Adding selected images to albums from the gallery. */
import t from 'tap';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { wordsFor } from '../testing/checks/words.ts';
import { eventually } from '../testing/eventually.ts';
import { png } from '../testing/files.ts';
import { galleryPath, openGallery, shows } from '../testing/gallery.ts';
import { areSelected, tick, tool } from '../testing/selecting.ts';
import { openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';
import { addsToAlbum, chooser, hasRoom, held } from '../testing/tasks/add-to-album.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 4 });

async function makeAlbums({ bearer }: TestAccount, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const payload = { name: `Album ${number}` };
    await stage.app.inject({ method: 'POST', url: '/api/albums/', headers: bearer, payload });
  }
}

t.test('two selected images are added to a new album and removed again (desktop)', (t) =>
  addsToAlbum(t, stage, { size: 'desktop' }, findsNothing),
);

t.test('a long list of albums fits on an Arabic phone and scrolls', async (t) => {
  const options: PageOptions = { size: 'phone', locale: 'ar-EG' };
  const say = wordsFor(options);
  const account = await signIn(stage.app);
  await makeAlbums(account, 20);
  await storeFiles(stage.app, account, [{ name: 'a.png', bytes: (await png('a.png')).buffer }]);
  const { page } = await openSignedIn(t, stage, galleryPath, { ...options, account });
  await shows(t, page, 'a.png');
  await page.getByRole('button', { name: say('Select'), exact: true }).click();
  await page.getByRole('main').getByRole('checkbox').check();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: say('Add to album') })
      .click();
    const choice = page.getByRole('dialog', { name: say('Add to album') });
    await eventually(t, () => choice.getByRole('checkbox').count(), 20, 'the albums');
    await hasRoom(t, page, choice);
    await choice.getByRole('checkbox').last().click();
    await choice.getByRole('checkbox', { checked: true }).waitFor();
    await choice.getByRole('checkbox').last().click();
    await choice.getByRole('checkbox', { checked: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await choice.waitFor({ state: 'hidden' });
  }
});

t.test('a failed call shows an error with a retry, which then works', async (t) => {
  const { page, account } = await openGallery(t, stage, ['a.png', 'b.png']);
  await makeAlbums(account, 1);
  await page.route('**/api/albums/holding', (route) => route.abort());
  for (const name of ['a.png', 'b.png']) await tick(page, name).check();
  await tool(page, 'Add to album').click();
  await chooser(page).getByText("Couldn't load your albums. The connection was lost.", { exact: true }).waitFor();
  await page.unroute('**/api/albums/holding');
  await chooser(page).getByRole('button', { name: 'Retry' }).click();
  const album = chooser(page).getByRole('checkbox', { name: 'Album 1', exact: true });
  await album.waitFor();
  await page.route('**/api/albums/*/images', (route) => route.abort());
  await album.click();
  await sawToast(t, page, "Couldn't save the change. Try again.", 'The connection was lost.');
  t.same(await held(stage, account), []);
  await page.unroute('**/api/albums/*/images');
  const { images } = (await stage.app.inject({ url: '/api/images/', headers: account.bearer })).json();
  const gone = images.find(({ filename }: { filename: string }) => filename === 'b.png');
  await stage.app.inject({ method: 'DELETE', url: `/api/images/delete/${gone.id}`, headers: account.bearer });
  await album.click();
  await sawToast(t, page, '1 image added to Album 1', '1 image is no longer in your gallery.');
  t.same(await held(stage, account), ['a.png']);
});

t.test('the album tool works by keyboard, and is disabled without a selection', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const add = tool(page, 'Add to album');
  t.equal(await add.getAttribute('aria-disabled'), 'true');
  await tool(page, 'Download').focus();
  await page.keyboard.press('ArrowRight');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await eventually(t, focused, 'Add to album', 'arrow keys reach the tool');
  await page.keyboard.press('Enter');
  t.equal(await chooser(page).isVisible(), false);
  await tick(page, 'a.png').check();
  await areSelected(t, page, ['a.png']);
  await add.press('Enter');
  await chooser(page).getByText('No albums yet.').waitFor();
  await eventually(t, focused, 'Create a new album', 'the focus moves into the popover');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await eventually(t, focused, 'Create a new album', 'Escape closes only the name form');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Trip');
  await page.keyboard.press('Enter');
  await sawToast(t, page, '1 image added to Trip');
  const box = () => page.evaluate<string>("document.activeElement.closest('label')?.textContent");
  await eventually(t, box, 'Trip', 'the focus is on the new album');
  await page.keyboard.press('Space');
  await sawToast(t, page, '1 image removed from Trip');
  await page.keyboard.press('Escape');
  await chooser(page).waitFor({ state: 'hidden' });
  await eventually(t, focused, 'Add to album', 'the focus returns to the tool');
});
