/** Edits of an image are not lost when the picture or the overlay is left. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { openGallery, pictureOf } from '../testing/gallery.ts';
import { logIn } from '../testing/log-in.ts';
import { openStage } from '../testing/stage.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const overlay = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const description = (page: Page) => page.getByRole('textbox', { name: 'Description' });

/** Opens the overlay of the first of two pictures, with its form open. */
async function openForm(t: Parameters<typeof openGallery>[0]) {
  const { page, account, images } = await openGallery(t, stage, ['a.png', 'b.png']);
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Rename or describe' }).click();
  const stored = async (): Promise<string[]> => {
    const answer = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
    return answer.json().images.map((image: { description: string }) => image.description);
  };
  return { page, account, images, stored };
}

const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  Next: (page) => page.getByRole('button', { name: 'Next image' }).click(),
  'the strip': (page) => page.getByRole('group', { name: 'Images on this page' }).getByLabel('b.png').click(),
  Details: (page) => page.getByRole('button', { name: 'Details', exact: true }).click(),
  Close: (page) => page.getByRole('button', { name: 'Close', exact: true }).click(),
  Back: (page) => page.goBack(),
  'a click outside': (page) => page.mouse.click(40, 300),
};

for (const [way, leave] of Object.entries(ways)) {
  t.test(`edits are saved when the form is left by ${way}`, async (t) => {
    const { page, stored } = await openForm(t);
    await description(page).fill('a red kite');
    await leave(page);
    await description(page).waitFor({ state: 'detached' });
    await sawToast(t, page, 'Saved');
    t.same(await stored(), ['a red kite', '']);
  });
}

t.test('an unchanged or cancelled form saves nothing', async (t) => {
  const { page, stored } = await openForm(t);
  const changes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') changes.push(request.url());
  });
  await description(page).fill('a kite');
  await description(page).fill('');
  await page.getByRole('button', { name: 'Next image' }).click();
  await overlay(page, 'b.png').getByRole('button', { name: 'Rename or describe' }).click();
  await description(page).fill('a boat');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Previous image' }).click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Rename or describe' }).waitFor();
  t.same(changes, []);
  t.same(await stored(), ['', '']);
});

t.test('edits that fail to save show an error, and are in the form when it opens again', async (t) => {
  const { page, stored } = await openForm(t);
  await page.route('**/api/images/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await description(page).fill('a red kite');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await sawToast(t, page, "Couldn't save the change.", 'The connection was lost.');
  t.same(await stored(), ['', '']);
  await page.unroute('**/api/images/*');
  await pictureOf(page, 'a.png').click();
  await eventually(t, () => description(page).inputValue(), 'a red kite', 'the draft is still there');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await sawToast(t, page, 'Saved');
  t.same(await stored(), ['a red kite', '']);
});

t.test('a logout drops edits that failed to save', async (t) => {
  const { page, account } = await openForm(t);
  await page.route('**/api/images/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await description(page).fill('a red kite');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await sawToast(t, page, "Couldn't save the change.", 'The connection was lost.');
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await page.waitForURL('**/login');
  await logIn(page, account);
  await page.getByRole('navigation').getByRole('link', { name: 'View Images' }).click();
  await pictureOf(page, 'a.png').click();
  await overlay(page, 'a.png').getByRole('button', { name: 'Rename or describe' }).waitFor();
  t.equal(await description(page).count(), 0);
});

t.test('edits of a deleted image are dropped', async (t) => {
  const { page } = await openForm(t);
  await description(page).fill('a red kite');
  await overlay(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, Delete' }).click();
  await sawToast(t, page, 'Image deleted.');
  await overlay(page, 'b.png').waitFor();
  const toasts = await notedToasts(page);
  t.notOk(JSON.stringify(toasts).includes("Couldn't save"));
});

t.test('only changed fields are sent, so changes from another window stay', async (t) => {
  const { page, account, images } = await openForm(t);
  const url = `/api/images/${images[0]?.id}`;
  const headers = account.bearer;
  await stage.app.inject({ method: 'PATCH', url, headers, payload: { filename: 'theirs.png' } });
  await description(page).fill('a red kite');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await sawToast(t, page, 'Saved');
  const answer = await stage.app.inject({ url: '/api/images/', headers });
  t.match(answer.json().images[0], { filename: 'theirs.png', description: 'a red kite' });
});

t.test('the browser asks before unsaved edits are lost by a reload, and only then', async (t) => {
  const { page, stored } = await openForm(t);
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.dismiss();
  });
  await description(page).pressSequentially('kite');
  await page.evaluate('setTimeout(() => location.reload())');
  await eventually(t, async () => asked, ['beforeunload'], 'the browser asked');
  t.equal(await description(page).inputValue(), 'kite', 'the text is still there');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await sawToast(t, page, 'Saved');
  await page.reload();
  await overlay(page, 'a.png').getByText('kite', { exact: true }).waitFor();
  t.same(asked, ['beforeunload'], 'saved edits cause no question');
  t.same(await stored(), ['kite', '']);
});
