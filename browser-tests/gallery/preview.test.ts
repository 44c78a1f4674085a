/** The overlay: opening, stepping, zooming, copying, renaming and deleting an image. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { hideImages } from '../../server/admin/commands/images/queries.ts';
import { signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { picture } from '../../server/testing/pictures.ts';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { galleryPath, openGallery, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openPage, openSignedIn, openStage, type PageOptions } from '../testing/stage.ts';
import { renames } from '../testing/tasks/rename.ts';
import { sawToast } from '../testing/toasts.ts';
import { fingers, move } from '../testing/touch.ts';

const stage = await openStage(t, { pageSize: 3 });
const five = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
const overlay = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const shown = (page: Page, name: string) => overlay(page, name).getByRole('img', { name, exact: true });
const isShown = (t: Test, page: Page, name: string) =>
  eventually(
    t,
    async () => (await shown(page, name).count()) === 1 && (await naturalWidth(shown(page, name))),
    64,
    name,
  );
const focusedId = (page: Page) => page.evaluate<string>('document.activeElement.id');
const query = (page: Page) => new URL(page.url()).search;
const close = (page: Page) => page.getByRole('button', { name: 'Close', exact: true });

async function openFirst(t: Test, options: PageOptions = {}) {
  const { account } = await withPictures(stage, ...five);
  const page = await openPage(t, stage, { account, ...options });
  await page.goto(galleryPath);
  await shows(t, page, 'a.png', 'b.png', 'c.png');
  return page;
}

t.test('a click on a picture opens it over the page at full size', async (t) => {
  const account = await signIn(stage.app);
  const bytes = await picture({ width: 1200, height: 900 });
  await storeFiles(stage.app, account, [{ name: 'large.png', bytes }]);
  const { page } = await openSignedIn(t, stage, galleryPath, { account });
  await pictureOf(page, 'large.png').click();
  await overlay(page, 'large.png').waitFor();
  await eventually(t, () => naturalWidth(shown(page, 'large.png')), 1200, 'the image itself, not the thumbnail');
  const box = await overlay(page, 'large.png').boundingBox();
  t.match(box, { x: 0, y: 0, width: 1440, height: 900 }, 'over the whole page');
});

t.test('deleting from the overlay shows the neighbour and a visible toast', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Are you sure?' });
  await question.getByRole('button', { name: 'Yes, Delete', exact: true }).click();
  await sawToast(t, page, 'Image deleted.');
  await overlay(page, 'b.png').waitFor();
  await close(page).click();
  await shows(t, page, 'b.png');
});

t.test('Next continues on the next page, and Back closes to the picture shown last', async (t) => {
  const page = await openFirst(t);
  await pictureOf(page, 'c.png').click();
  await overlay(page, 'c.png')
    .getByText(/^3 of 5/)
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await isShown(t, page, 'd.png');
  await overlay(page, 'd.png')
    .getByText(/^4 of 5/)
    .waitFor();
  t.equal(query(page), '?page=2');
  await page.getByRole('button', { name: 'Next image' }).click();
  await isShown(t, page, 'e.png');
  t.equal(
    await page.getByRole('button', { name: 'Next image' }).getAttribute('aria-disabled'),
    'true',
    'at the last picture',
  );
  await page.goBack();
  await overlay(page, 'e.png').waitFor({ state: 'detached' });
  await shows(t, page, 'd.png', 'e.png');
  const id = await pictureOf(page, 'e.png').getAttribute('id');
  await eventually(t, () => focusedId(page), id, 'the focus returns to its card');
  t.equal(query(page), '?page=2');
});

t.test('a swipe steps, also across pages, and a pull down closes', async (t) => {
  const page = await openFirst(t, { size: 'phone' });
  await pictureOf(page, 'b.png').tap({ position: { x: 80, y: 120 } });
  await isShown(t, page, 'b.png');
  const session = await fingers(page);
  const [right, left] = [
    { x: 340, y: 400 },
    { x: 40, y: 400 },
  ];
  await move(session, [right], [left]);
  await isShown(t, page, 'c.png');
  await move(session, [right], [left]);
  await isShown(t, page, 'd.png');
  t.equal(query(page), '?page=2');
  await move(session, [left], [right]);
  await isShown(t, page, 'c.png');
  await move(session, [{ x: 195, y: 300 }], [{ x: 195, y: 620 }]);
  await overlay(page, 'c.png').waitFor({ state: 'detached' });
  await shows(t, page, 'a.png', 'b.png', 'c.png');
});

t.test('an image is renamed and described in its details (desktop)', (t) => renames(t, stage, {}));

t.test('a hidden picture shows the reason in the gallery and the overlay, and can be deleted', async (t) => {
  const { account, images } = await withPictures(stage, 'open.png', 'hidden.png');
  const [hidden] = images.filter(({ filename }) => filename === 'hidden.png');
  await hideImages(stage.app.db, [hidden?.id ?? ''], { reason: 'It shows <b>somebody</b>.', legal: true });
  const page = await openPage(t, stage, { account });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(galleryPath);
  const card = page.getByRole('listitem').filter({ hasText: 'hidden.png' });
  await card.getByText('Hidden by the administrator').waitFor();
  t.equal(await card.getByRole('img').count(), 0, 'no broken picture');
  t.equal(await card.getByRole('button', { name: 'Copy', exact: true }).count(), 0, 'no dead link to copy');
  await card.getByRole('button', { name: /hidden.png.*Hidden by the administrator/ }).click();
  const overlay = page.getByRole('dialog');
  for (const text of [
    'The administrator hid this image.',
    'It was hidden for legal reasons.',
    'Reason: It shows <b>somebody</b>.',
  ]) {
    await overlay.getByText(text).waitFor();
  }
  t.equal((await overlay.getByRole('link', { name: 'Download' }).count()) > 0, true);
  t.equal(await overlay.getByText('Copy as').count(), 0);
  await findsNothingHere(t, page, 'the overlay of a hidden picture');
  await overlay.getByRole('button', { name: 'Delete', exact: true }).first().click();
  await page.getByRole('button', { name: 'Yes, Delete' }).click();
  await eventually(t, () => card.count(), 0, 'the card is gone');
  const key = new URL(hidden?.url ?? '').pathname.slice(3, 25);
  t.same(
    asked.filter((path) => path.includes(key)),
    [],
    'its links were not requested',
  );
});
