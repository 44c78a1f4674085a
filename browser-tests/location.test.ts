/** What the page says of the place where a photograph was taken, and what it hands to its owner. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { buildTestApp, listen } from '../server/testing/app.ts';
import { storeFiles } from '../server/testing/form.ts';
import { picture, placed, unreadable } from '../server/testing/pictures.ts';
import { eventually } from './testing/eventually.ts';
import { choose } from './testing/files.ts';
import { galleryPath, pictureOf } from './testing/gallery.ts';
import { naturalWidth } from './testing/in-page.ts';
import { openSignedIn, openStage, type PageOptions, type Stage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const stage = await openStage(t);
const removed = 'Location and serial numbers are left out of the link.';
const kept = 'Location and serial numbers are handed out with the link.';
const withheld = 'The link does not hand out the original because its location could not be removed.';
const overlay = (page: Page) => page.getByRole('dialog', { name: 'photo.jpg', exact: true });

/** The overlay of a new user's only image. */
async function openOverlay(t: Test, on: Stage, bytes: Buffer, options: PageOptions = {}): Promise<Page> {
  const account = await signIn(on.app);
  await storeFiles(on.app, account, [{ name: 'photo.jpg', bytes }]);
  const { page } = await openSignedIn(t, on, galleryPath, { account, ...options });
  await pictureOf(page, 'photo.jpg').click();
  const drawn = async () =>
    (await naturalWidth(overlay(page).getByRole('img', { name: 'photo.jpg', exact: true }))) > 0;
  await eventually(t, drawn, true, 'it is drawn');
  return page;
}

/** The bytes that a click on a link of the overlay saves. */
async function saved(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    overlay(page).getByRole('link', { name, exact: true }).last().click(),
  ]);
  return readFile(await download.path());
}

t.test(
  'the details say which camera took it, and that the link leaves the location out, and the download has it',
  async (t) => {
    const bytes = await placed();
    const page = await openOverlay(t, stage, bytes);
    await overlay(page).getByText(removed, { exact: true }).waitFor();
    await overlay(page).getByText('Acme Pocket 1', { exact: true }).waitFor();
    for (const name of ['Download original', 'Download']) t.ok((await saved(page, name)).equals(bytes), name);
  },
);

t.test('a link that is refused is spoken of, the picture shown and saved all the same', async (t) => {
  const bytes = await unreadable();
  const page = await openOverlay(t, stage, bytes);
  await overlay(page).getByText(withheld, { exact: true }).waitFor();
  t.ok((await saved(page, 'Download original')).equals(bytes));
});

t.test('where links hand locations out, that is said', async (t) => {
  const app = await buildTestApp(t, { stripLocation: 'off' });
  const page = await openOverlay(t, { ...stage, app, origin: await listen(app) }, await placed());
  await overlay(page).getByText(kept, { exact: true }).waitFor();
  t.equal(await overlay(page).getByText('Download original').count(), 0, 'the link hands out the original');
});

t.test('nothing is said of a picture that tells no place', async (t) => {
  const page = await openOverlay(t, stage, await picture({ format: 'jpeg' }));
  await overlay(page).getByText('Dimensions', { exact: true }).waitFor();
  t.equal(await overlay(page).getByText('Camera', { exact: true }).count(), 0, 'nor which camera took it');
  t.equal(
    await overlay(page)
      .getByText(/location/i)
      .count(),
    0,
  );
});

t.test('on a phone the details say it too', async (t) => {
  const bytes = await placed();
  const page = await openOverlay(t, stage, bytes, { size: 'phone' });
  await overlay(page).getByRole('button', { name: 'Details', exact: true }).last().click();
  await overlay(page).getByText(removed, { exact: true }).waitFor();
  t.ok((await saved(page, 'Download original')).equals(bytes));
});

t.test('an upload ends with what was left out', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const files = [
    { name: 'one.jpg', buffer: await placed(300, 200) },
    { name: 'two.jpg', buffer: await placed(310, 210) },
    { name: 'none.png', buffer: await picture() },
  ];
  await choose(
    page,
    files.map((file) => ({ ...file, mimeType: 'image/jpeg' })),
  );
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const sentence = 'Location and serial numbers left out of 2 links.';
  await sawToast(t, page, 'Images uploaded successfully 📸', sentence);
  await page.getByText(`Your images are in the gallery. ${sentence}`, { exact: true }).waitFor();
});
