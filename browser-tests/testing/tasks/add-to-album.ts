/** Adding selected images to an album from the gallery. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { TestAccount } from '../../../server/testing/account.ts';
import { findsNothingHere } from '../checks/axe.ts';
import { eventually } from '../eventually.ts';
import { openGallery } from '../gallery.ts';
import { hold } from '../hold.ts';
import type { Judge } from '../screens/visit.ts';
import { areSelected, tick, tool } from '../selecting.ts';
import type { PageOptions, Stage } from '../stage.ts';
import { sawToast } from '../toasts.ts';

export const chooser = (page: Page) => page.getByRole('dialog', { name: 'Add to album', exact: true });
const trip = (page: Page) => chooser(page).getByRole('checkbox', { name: 'Trip', exact: true });

/** The filenames in the account's only album. */
export async function held(stage: Stage, { bearer }: TestAccount): Promise<string[]> {
  const get = async (url: string) => (await stage.app.inject({ url, headers: bearer })).json();
  const [album] = (await get('/api/albums/')).albums;
  const { images } = await get(`/api/albums/${album.id}`);
  return images.map(({ filename }: { filename: string }) => filename).sort();
}

/** Asserts that the popover is within the window and does not cover the toolbar. */
export async function hasRoom(t: Test, page: Page, choice = chooser(page)): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  const [box, below] = [await choice.boundingBox(), await page.getByRole('toolbar').boundingBox()];
  t.ok(box && box.x >= 0 && box.x + box.width <= width && box.y >= 0, 'the popover is within the window');
  t.ok(box && below && box.y + box.height <= below.y, 'the toolbar is not covered');
}

export async function addsToAlbum(
  t: Test,
  stage: Stage,
  options: PageOptions,
  judge: Judge = findsNothingHere,
): Promise<void> {
  const { page, account } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png'], options);
  if (options.size === 'phone') await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const name of ['a.png', 'c.png']) await tick(page, name).check();
  await areSelected(t, page, ['a.png', 'c.png']);
  await tool(page, 'Add to album').click();
  await chooser(page).getByText('Add 2 images to', { exact: true }).waitFor();
  await judge(t, page, 'the choice of albums');
  await hasRoom(t, page);
  await chooser(page).getByRole('button', { name: 'Create a new album', exact: true }).click();
  await chooser(page).getByLabel('Album name').fill('Trip');
  await page.keyboard.press('Enter');
  await sawToast(t, page, '2 images added to Trip');
  await eventually(t, () => trip(page).isChecked(), true, 'the album is ticked');
  t.same(await held(stage, account), ['a.png', 'c.png']);
  await trip(page).click();
  await sawToast(t, page, '2 images removed from Trip');
  t.same(await held(stage, account), []);
  await eventually(t, () => trip(page).isChecked(), false, 'the album is not ticked');
  const { reached, release } = await hold(page, '**/api/albums/*/images', { method: 'POST' });
  await trip(page).click();
  await reached;
  t.equal(await trip(page).isChecked(), true, 'the tick does not wait for the answer');
  release();
  await eventually(t, () => held(stage, account), ['a.png', 'c.png'], 'they are added again');
  await trip(page).click();
  await eventually(t, () => held(stage, account), [], 'they are removed again');
  // The toast of the first removal may still be there.
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
  await eventually(t, () => held(stage, account), ['a.png', 'c.png'], 'undone');
  if (await chooser(page).isHidden()) await tool(page, 'Add to album').click();
  await eventually(t, () => trip(page).isChecked(), true, 'the album is ticked again');
  await page.keyboard.press('Escape');
  await chooser(page).waitFor({ state: 'hidden' });
  await areSelected(t, page, ['a.png', 'c.png']);
}
