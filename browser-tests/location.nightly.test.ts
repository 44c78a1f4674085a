/** What the page says of the place where a photograph was taken, and what it hands to its owner. */
import t from 'tap';
import { buildTestApp, listen } from '../server/testing/app.ts';
import { picture, placed, unreadable } from '../server/testing/pictures.ts';
import { choose } from './testing/files.ts';
import { openPhoto, photo, saved } from './testing/photo.ts';
import { openSignedIn, openStage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const stage = await openStage(t);
const removed = 'Location and serial numbers are left out of the link.';
const kept = 'Location and serial numbers are handed out with the link.';
const withheld = 'The link does not hand out the original because its location could not be removed.';

t.test('a link that is refused is spoken of, the picture shown and saved all the same', async (t) => {
  const bytes = await unreadable();
  const page = await openPhoto(t, stage, bytes);
  await photo(page).getByText(withheld, { exact: true }).waitFor();
  t.ok((await saved(page, 'Download original')).equals(bytes));
});

t.test('where links hand locations out, that is said', async (t) => {
  const app = await buildTestApp(t, { stripLocation: 'off' });
  const page = await openPhoto(t, { ...stage, app, origin: await listen(app) }, await placed());
  await photo(page).getByText(kept, { exact: true }).waitFor();
  t.equal(await photo(page).getByText('Download original').count(), 0, 'the link hands out the original');
});

t.test('nothing is said of a picture that tells no place', async (t) => {
  const page = await openPhoto(t, stage, await picture({ format: 'jpeg' }));
  await photo(page).getByText('Dimensions', { exact: true }).waitFor();
  t.equal(await photo(page).getByText('Camera', { exact: true }).count(), 0, 'nor which camera took it');
  t.equal(
    await photo(page)
      .getByText(/location/i)
      .count(),
    0,
  );
});

t.test('on a phone the details say it too', async (t) => {
  const bytes = await placed();
  const page = await openPhoto(t, stage, bytes, { size: 'phone' });
  await photo(page).getByRole('button', { name: 'Details', exact: true }).last().click();
  await photo(page).getByText(removed, { exact: true }).waitFor();
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
