/** Images of an album are put in order by dragging and by keys; what is taken out comes back. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { storeFiles } from '../server/testing/form.ts';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { pngs } from './testing/files.ts';
import { openSignedIn, openStage, type PageOptions } from './testing/stage.ts';
import { notedToasts, sawToast } from './testing/toasts.ts';
import { wordsFor } from './testing/words.ts';

const stage = await openStage(t, { pageSize: 3 });

const namesOf = (page: Page) => page.getByRole('main').locator('li p bdi').allInnerTexts();
const shows = (t: Test, page: Page, names: string, message: string) =>
  eventually(t, async () => (await namesOf(page)).map((name) => name[0]).join(''), names, message);

/** A page on an album of images named by the letters. */
async function openAlbum(t: Test, letters: string, options: PageOptions = {}) {
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
  return { page, kept, coverOf, takeOut, images };
}

async function canDrag(t: Test, page: Page): Promise<void> {
  const loaded = "performance.getEntriesByType('resource').some(({ name }) => /drag-order.*js$/.test(name))";
  await eventually(t, () => page.evaluate(loaded), true, 'pictures can be dragged');
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
}

/** The middle of a picture, and at a quarter of its width where it is read first, and last. */
async function placesOf(page: Page, index: number) {
  const picture = page.getByRole('main').getByRole('listitem').nth(index).getByRole('link');
  await picture.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const isMirrored = (await page.evaluate('document.dir')) === 'rtl';
  const middle = { x: x + width / 2, y: y + height / 2 };
  const at = (share: number) => ({ x: x + width * (isMirrored ? 1 - share : share), y: middle.y });
  return { middle, start: at(1 / 4), end: at(3 / 4) };
}

for (const locale of ['en-US', 'ar-EG']) {
  t.test(`a mouse drags a picture before another and behind the last, and opens none (${locale})`, async (t) => {
    const { page, kept } = await openAlbum(t, 'abc', { locale });
    await canDrag(t, page);
    const opened: unknown[] = [];
    page.context().on('page', (other) => opened.push(other));
    const [third, first] = [await placesOf(page, 2), await placesOf(page, 0)];
    await page.mouse.move(third.middle.x, third.middle.y);
    await page.mouse.down();
    await page.mouse.move(first.start.x, first.start.y, { steps: 8 });
    await page.locator('li[data-before]').waitFor();
    const folder = process.env.ALBUM_SHOTS;
    if (folder) await page.screenshot({ path: `${folder}/drag-${locale}.png` });
    await page.mouse.up();
    await shows(t, page, 'cab', 'the last one is the first');
    await eventually(t, kept, 'cab', 'and the server knows');
    const [now, last] = [await placesOf(page, 0), await placesOf(page, 2)];
    await page.mouse.move(now.middle.x, now.middle.y);
    await page.mouse.down();
    await page.mouse.move(last.middle.x, last.middle.y + 400, { steps: 8 });
    await page.mouse.up();
    await eventually(t, kept, 'abc', 'below all it is the last');
    await page.mouse.move(first.middle.x, first.middle.y);
    await page.mouse.down();
    await page.mouse.move(first.middle.x + 30, first.middle.y, { steps: 4 });
    await page.mouse.move(first.middle.x, first.middle.y, { steps: 4 });
    await page.mouse.up();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    t.same(opened, [], 'no picture was opened');
    await page.mouse.move(first.middle.x, first.middle.y);
    await page.mouse.down();
    await page.mouse.move(last.middle.x, last.middle.y, { steps: 8 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.reload();
    await shows(t, page, 'abc', 'Escape puts nothing anywhere');
  });
}

for (const locale of ['en-US', 'ar-EG']) {
  t.test(`a mouse drags a picture forward, held where it is read first (${locale})`, async (t) => {
    const { page, kept } = await openAlbum(t, 'abc', { locale });
    await canDrag(t, page);
    const [first, second] = [await placesOf(page, 0), await placesOf(page, 1)];
    await page.mouse.move(first.start.x, first.start.y);
    await page.mouse.down();
    await page.mouse.move(second.end.x, second.end.y, { steps: 8 });
    await page.locator('li[data-before]').filter({ hasText: 'c.png' }).waitFor();
    await page.mouse.up();
    await shows(t, page, 'bac', 'the first one is the second');
    await eventually(t, kept, 'bac', 'and the server knows');
  });
}

t.test('a finger that has rested drags, and one that moves at once scrolls', async (t) => {
  const { page, kept } = await openAlbum(t, 'abc', { size: 'phone' });
  await canDrag(t, page);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
  await page.evaluate('scrollTo(0, 0)');
  const { middle } = await placesOf(page, 0);
  await touch('touchStart', middle);
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', { x: middle.x, y: middle.y - step * 30 });
  await touch('touchEnd');
  await eventually(t, () => page.evaluate('scrollY > 0'), true, 'the page has scrolled');
  t.equal(await kept(), 'abc');
  const second = await placesOf(page, 1);
  const first = await placesOf(page, 0);
  const from = (await placesOf(page, 1)).middle;
  t.ok(second && first);
  await touch('touchStart', from);
  await page.locator('li[data-dragged]').waitFor();
  const to = (await placesOf(page, 0)).start;
  for (let step = 1; step <= 6; step += 1) {
    await touch('touchMove', {
      x: from.x + ((to.x - from.x) * step) / 6,
      y: from.y + ((to.y - 20 - from.y) * step) / 6,
    });
  }
  await page.locator('li[data-before]').waitFor();
  await touch('touchEnd');
  await eventually(t, kept, 'bac', 'the second one is the first');
  await shows(t, page, 'bac', 'it is shown');
  await page.evaluate('scrollTo(0, 0)');
  const held = (await placesOf(page, 0)).start;
  await touch('touchStart', held);
  await page.locator('li[data-dragged]').waitFor();
  const goal = (await placesOf(page, 1)).end;
  for (let step = 1; step <= 6; step += 1) {
    await touch('touchMove', {
      x: held.x + ((goal.x - held.x) * step) / 6,
      y: held.y + ((goal.y - held.y) * step) / 6,
    });
  }
  await page.locator('li[data-before]').filter({ hasText: 'c.png' }).waitFor();
  await touch('touchEnd');
  await eventually(t, kept, 'abc', 'it is moved forward, held where it is read first');
  await shows(t, page, 'abc', 'it is shown too');
  await page.getByRole('button', { name: 'Move later' }).first().press('Enter');
  await eventually(t, kept, 'bac', 'the first key after it does what it says');
});

t.test('keys move a picture, which keeps the focus, and it is said where it stands', async (t) => {
  const { page, kept } = await openAlbum(t, 'abcd');
  const item = page.getByRole('main').getByRole('listitem');
  await item.nth(0).getByRole('button', { name: 'Move later' }).focus();
  await page.keyboard.press('Enter');
  await shows(t, page, 'bac', 'it has moved');
  const focused = "document.activeElement.closest('li')?.querySelector('bdi').textContent";
  await eventually(t, () => page.evaluate(focused), 'a.png', 'it has the focus');
  await page.getByText('a.png is now 2 of 4', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await shows(t, page, 'bca', 'and again');
  await page.keyboard.press('Enter');
  await shows(t, page, 'bcd', 'over the edge of the page');
  await eventually(t, () => page.evaluate(focused), 'd.png', 'what took its place has the focus');
  t.equal(await kept(), 'bcd');
});

for (const how of ['by its button', 'by keys'] as const) {
  t.test(`a picture that was taken out comes back to its place, a cover again, ${how}`, async (t) => {
    const { page, kept, coverOf, images } = await openAlbum(t, 'abc');
    const second = page.getByRole('main').getByRole('listitem').nth(1);
    await second.getByRole('button', { name: 'Set as cover' }).click();
    await second.getByRole('button', { name: 'Cover', exact: true }).waitFor();
    await second.getByRole('button', { name: 'Remove' }).press('Enter');
    await sawToast(t, page, 'Removed from the album. The image stays in your gallery.');
    await shows(t, page, 'ac', 'it has gone');
    const focused = "document.activeElement.closest('li')?.querySelector('bdi').textContent";
    await eventually(t, () => page.evaluate(focused), 'c.png', 'the next one has the focus');
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await findsNothing(t, page, 'an offer to undo');
    if (how === 'by keys') await page.keyboard.press('Control+z');
    else await undo.press('Enter');
    await shows(t, page, 'abc', 'it is back');
    await eventually(t, kept, 'abc', 'in its place');
    await eventually(t, coverOf, images[1]?.id, 'it is the cover');
    await undo.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    t.equal(await kept(), 'abc', 'once');
  });
}

t.test('a cover comes back as the cover, at the end where what stood behind it has left too', async (t) => {
  const { page, kept, coverOf, takeOut, images } = await openAlbum(t, 'abc');
  const second = page.getByRole('main').getByRole('listitem').nth(1);
  await second.getByRole('button', { name: 'Set as cover' }).click();
  await second.getByRole('button', { name: 'Cover', exact: true }).waitFor();
  await second.getByRole('button', { name: 'Remove' }).press('Enter');
  await shows(t, page, 'ac', 'it has gone');
  await takeOut(images[2]?.id);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).press('Enter');
  await shows(t, page, 'ab', 'it is back');
  t.equal(await kept(), 'ab');
  t.equal(await coverOf(), images[1]?.id, 'it is the cover');
  const firstLines = (await notedToasts(page)).map(([first]) => first);
  t.same(firstLines, ['Removed from the album. The image stays in your gallery.'], 'no failure is told');
});

for (const locale of ['en-US', 'ar-EG']) {
  t.test(`a link that the browser does not copy is selected, and it is said what to do (${locale})`, async (t) => {
    const say = wordsFor({ locale });
    const { page } = await openAlbum(t, 'a', {
      locale,
      size: 'phone',
      prepare: (context) =>
        context.addInitScript(`
          Object.defineProperty(navigator, 'clipboard', { value: undefined });
          document.execCommand = () => false;`),
    });
    await page.getByRole('button', { name: say('Make a public link') }).click();
    await page.getByRole('button', { name: say('Copy'), exact: true }).click();
    await sawToast(
      t,
      page,
      say('Your browser lets no page copy here.'),
      say('The link is selected: copy it from its field.'),
    );
    const selected =
      'document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
    await eventually(
      t,
      async () => /\/a\/[\w-]{22}$/.test((await page.evaluate<string>(selected)) ?? ''),
      true,
      'the link',
    );
  });
}
