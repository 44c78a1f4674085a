import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { wordsFor } from '../testing/checks/words.ts';
import { eventually } from '../testing/eventually.ts';
import { galleryPath, openGallery, shows } from '../testing/gallery.ts';
import { openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';

const stage = await openStage(t);

const looks: [name: string, options: PageOptions][] = [
  ['desktop', {}],
  ['phone-arabic', { size: 'phone', locale: 'ar-EG' }],
];
for (const [name, options] of looks) {
  t.test(`an empty gallery and an empty album list explain what to do and link there (${name})`, async (t) => {
    const say = wordsFor(options);
    const { page } = await openSignedIn(t, stage, '/dashboard/albums', options);
    const main = page.getByRole('main');
    await main.getByText(say('No albums yet.'), { exact: true }).waitFor();
    await main
      .getByText(say('Select images in your gallery and add them to an album, or create an empty one with New album.'))
      .waitFor();
    await findsNothing(t, page, 'no albums');
    await main.getByRole('link', { name: say('View Images'), exact: true }).click();
    await main.getByText(say('No images found.'), { exact: true }).waitFor();
    await main.getByText(say('Images you upload appear here.'), { exact: true }).waitFor();
    await findsNothing(t, page, 'an empty gallery');
    await main.getByRole('link', { name: say('Upload Images'), exact: true }).click();
    await page.waitForURL('**/dashboard/upload');
  });
}

t.test('a search without results is cleared by a button, and restored by Undo', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await page.goto(`${galleryPath}?search=nothing`);
  await page.getByText('Try another word, or show all images.', { exact: true }).waitFor();
  await findsNothing(t, page, 'nothing found');
  await page.getByRole('button', { name: 'Show all images' }).press('Enter');
  await shows(t, page, 'a.png', 'b.png');
  await eventually(t, () => page.evaluate('document.activeElement.tagName'), 'H1', 'the focus is not lost');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByText('No images found.', { exact: true }).waitFor();
  t.equal(await page.getByRole('searchbox').inputValue(), 'nothing');
});

t.test('a missing album offers only the way back, and an unreachable one a retry', async (t) => {
  const { page } = await openSignedIn(t, stage, `/dashboard/albums/00000000-0000-7000-8000-000000000000`);
  await page.getByText('This album no longer exists.').waitFor();
  t.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0);
  await page.getByRole('link', { name: 'All albums' }).waitFor();
  await page.route('**/api/albums/', (route) => route.abort());
  await page.goto('/dashboard/albums');
  await page.getByText("Couldn't load your albums.").waitFor();
  await page.getByText('The connection was lost.').waitFor();
  await page.unroute('**/api/albums/');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('No albums yet.').waitFor();
});

t.test('a skeleton is shown until the sessions have loaded', async (t) => {
  const { page } = await openSignedIn(t, stage, '/login');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/**/sessions*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/settings');
  const lines = page
    .locator('section, div')
    .filter({ has: page.getByText('Loading sessions') })
    .locator('i');
  await lines.first().waitFor({ state: 'attached' });
  await findsNothing(t, page, 'settings on their way');
  answer();
  await page.getByText('This device').waitFor();
  t.equal(await lines.count(), 0);
});
