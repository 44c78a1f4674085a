/** Tasks in an open album: dragging, removing and restoring images. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { signIn } from '../../../server/testing/account.ts';
import { storeFiles } from '../../../server/testing/form.ts';
import { findsNothingHere } from '../checks/axe.ts';
import { eventually } from '../eventually.ts';
import { pngs } from '../files.ts';
import type { Judge } from '../screens/visit.ts';
import { openSignedIn, type PageOptions, type Stage } from '../stage.ts';
import { sawToast } from '../toasts.ts';

const namesOf = (page: Page) => page.getByRole('main').locator('li p bdi').allInnerTexts();

export const shows = (t: Test, page: Page, names: string, message: string) =>
  eventually(t, async () => (await namesOf(page)).map((name) => name[0]).join(''), names, message);

/** Opens an album whose images are named by these letters. */
export async function openAlbum(t: Test, stage: Stage, letters: string, options: PageOptions = {}) {
  const account = await signIn(stage.app);
  const files = await pngs(...[...letters].map((letter) => `${letter}.png`));
  const images = await storeFiles(
    stage.app,
    account,
    files.map(({ name, buffer }) => ({ name, bytes: buffer })),
  );
  const call = (method: 'POST' | 'GET' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    stage.app.inject({
      method,
      url: `/api/albums/${path}`,
      headers: account.bearer,
      ...(payload ? { payload } : {}),
    });
  const { album } = (await call('POST', '', { name: 'Southwest' })).json();
  await call('POST', `${album.id}/images`, { ids: images.map(({ id }) => id) });
  const { page } = await openSignedIn(t, stage, `/dashboard/albums/${album.id}`, { ...options, account });
  await shows(t, page, letters.slice(0, 3), 'as they were added');
  const kept = async () => {
    const found = (await call('GET', `${album.id}`)).json();
    return found.images.map(({ filename }: { filename: string }) => filename[0]).join('');
  };
  const coverOf = async () => (await call('GET', `${album.id}`)).json().album.cover;
  const takeOut = (imageId = '') => call('DELETE', `${album.id}/images`, { ids: [imageId] });
  return { page, account, kept, coverOf, takeOut, images };
}

export async function canDrag(t: Test, page: Page): Promise<void> {
  const loaded = "performance.getEntriesByType('resource').some(({ name }) => /drag-order.*js$/.test(name))";
  await eventually(t, () => page.evaluate(loaded), true, 'pictures can be dragged');
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
}

/** The middle of a picture, and the points a quarter from its start and from its end, in reading direction. */
export async function placesOf(page: Page, index: number) {
  const picture = page.getByRole('main').getByRole('listitem').nth(index).locator('[data-picture]');
  await picture.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const isMirrored = (await page.evaluate('document.dir')) === 'rtl';
  const middle = { x: x + width / 2, y: y + height / 2 };
  const at = (share: number) => ({ x: x + width * (isMirrored ? 1 - share : share), y: middle.y });
  return { middle, start: at(1 / 4), end: at(3 / 4) };
}

export async function dragsPictures(t: Test, stage: Stage, options: PageOptions): Promise<void> {
  const { page, kept } = await openAlbum(t, stage, 'abc', options);
  await canDrag(t, page);
  const [third, first] = [await placesOf(page, 2), await placesOf(page, 0)];
  await page.mouse.move(third.middle.x, third.middle.y);
  await page.mouse.down();
  await page.mouse.move(first.start.x, first.start.y, { steps: 8 });
  await page.locator('li[data-before]').waitFor();
  await page.mouse.up();
  await shows(t, page, 'cab', 'the last one is now first');
  await eventually(t, kept, 'cab', 'the order is stored');
  const [now, last] = [await placesOf(page, 0), await placesOf(page, 2)];
  await page.mouse.move(now.middle.x, now.middle.y);
  await page.mouse.down();
  await page.mouse.move(last.middle.x, last.middle.y + 400, { steps: 8 });
  await page.mouse.up();
  await eventually(t, kept, 'abc', 'a drop below the list moves it to the end');
  await page.mouse.move(first.middle.x, first.middle.y);
  await page.mouse.down();
  await page.mouse.move(first.middle.x + 30, first.middle.y, { steps: 4 });
  await page.mouse.move(first.middle.x, first.middle.y, { steps: 4 });
  await page.mouse.up();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  t.equal(await page.locator('dialog').count(), 0, 'no picture was opened');
  await page.mouse.move(first.middle.x, first.middle.y);
  await page.mouse.down();
  await page.mouse.move(last.middle.x, last.middle.y, { steps: 8 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.reload();
  await shows(t, page, 'abc', 'Escape cancels the drag');
}

export async function takesOutAndBack(
  t: Test,
  stage: Stage,
  how: 'button' | 'keys',
  judge: Judge = findsNothingHere,
): Promise<void> {
  const { page, kept, coverOf, images } = await openAlbum(t, stage, 'abc');
  const second = page.getByRole('main').getByRole('listitem').nth(1);
  await second.getByRole('button', { name: 'Set as cover' }).click();
  await second.getByRole('button', { name: 'Remove as cover', exact: true }).waitFor();
  await second.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await sawToast(t, page, 'Removed from the album. The image stays in your gallery.');
  await shows(t, page, 'ac', 'it is removed');
  const focused = "document.activeElement.closest('li')?.querySelector('bdi').textContent";
  await eventually(t, () => page.evaluate(focused), 'c.png', 'the next one has the focus');
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await judge(t, page, 'an offer to undo');
  if (how === 'keys') await page.keyboard.press('Control+z');
  else await undo.press('Enter');
  await shows(t, page, 'abc', 'it is restored');
  await eventually(t, kept, 'abc', 'at its position');
  await eventually(t, coverOf, images[1]?.id, 'it is the cover');
  await undo.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  t.equal(await kept(), 'abc', 'undone only once');
}
