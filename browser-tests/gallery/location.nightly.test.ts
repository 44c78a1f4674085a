/** What the page says about a photograph's location, and what its owner can download. */
import t from 'tap';
import { buildTestApp, listen } from '../../server/testing/app.ts';
import { picture, placed, unreadable } from '../../server/testing/pictures.ts';
import { choose } from '../testing/files.ts';
import { openPhoto, photo, saved } from '../testing/photo.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const removed = 'The link leaves out location and serial numbers.';
const kept = 'The link shares location and serial numbers.';
const withheld = "The link doesn't share the original because its location couldn't be removed.";

t.test('a withheld original is explained, and its picture is shown and downloadable', async (t) => {
  const bytes = await unreadable();
  const page = await openPhoto(t, stage, bytes);
  await photo(page).getByText(withheld, { exact: true }).waitFor();
  t.ok((await saved(page, 'Download original')).equals(bytes));
});

t.test('a link that serves the location has a note about it', async (t) => {
  const app = await buildTestApp(t, { stripLocation: 'off' });
  const page = await openPhoto(t, { ...stage, app, origin: await listen(app) }, await placed());
  await photo(page).getByText(kept, { exact: true }).waitFor();
  t.equal(await photo(page).getByText('Download original').count(), 0, 'the link serves the original');
});

t.test('a picture without a location has no note about it', async (t) => {
  const page = await openPhoto(t, stage, await picture({ format: 'jpeg' }));
  await photo(page).getByText('Dimensions', { exact: true }).waitFor();
  t.equal(await photo(page).getByText('Camera', { exact: true }).count(), 0, 'no camera is shown');
  t.equal(
    await photo(page)
      .getByText(/location/i)
      .count(),
    0,
  );
});

t.test('the details on a phone explain it too', async (t) => {
  const bytes = await placed();
  const page = await openPhoto(t, stage, bytes, { size: 'phone' });
  await photo(page).getByRole('button', { name: 'Details', exact: true }).last().click();
  await photo(page).getByText(removed, { exact: true }).waitFor();
  t.ok((await saved(page, 'Download original')).equals(bytes));
});

t.test('an upload reports what was left out of the links', async (t) => {
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
  const sentence = '2 links leave out location and serial numbers.';
  await sawToast(t, page, 'Images uploaded successfully 📸', sentence);
  await page.getByText(`Your images are in the gallery. ${sentence}`, { exact: true }).waitFor();
});

t.test('the details show the camera and that the link omits the location, and the download contains it', async (t) => {
  const bytes = await placed();
  const page = await openPhoto(t, stage, bytes);
  await photo(page).getByText(removed, { exact: true }).waitFor();
  await photo(page).getByText('Acme Pocket 1', { exact: true }).waitFor();
  for (const name of ['Download original', 'Download']) t.ok((await saved(page, name)).equals(bytes), name);
});
