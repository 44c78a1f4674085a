/** Reordering an album by dragging and by keyboard, and undoing a removal. */
import t from 'tap';
import { picture } from '../../server/testing/pictures.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { wordsFor } from '../testing/checks/words.ts';
import { eventually } from '../testing/eventually.ts';
import { hold } from '../testing/hold.ts';
import { openStage } from '../testing/stage.ts';
import { canDrag, dragsPictures, openAlbum, placesOf, shows, takesOutAndBack } from '../testing/tasks/albums.ts';
import { notedToasts, sawToast } from '../testing/toasts.ts';

const stage = await openStage(t, { pageSize: 3 });

for (const locale of ['en-US', 'ar-EG']) {
  t.test(`a mouse drags a picture before another and to the end, without opening it (${locale})`, (t) =>
    dragsPictures(t, stage, { locale }),
  );

  t.test(`a mouse drags a picture by its starting edge to the next position (${locale})`, async (t) => {
    const { page, kept } = await openAlbum(t, stage, 'abc', { locale });
    await canDrag(t, page);
    const [first, second] = [await placesOf(page, 0), await placesOf(page, 1)];
    await page.mouse.move(first.start.x, first.start.y);
    await page.mouse.down();
    await page.mouse.move(second.end.x, second.end.y, { steps: 8 });
    await page.locator('li[data-before]').filter({ hasText: 'c.png' }).waitFor();
    await page.mouse.up();
    await shows(t, page, 'bac', 'the first one is now second');
    await eventually(t, kept, 'bac', 'the order is stored');
  });
}

/** Records the listeners of the whole page that delay scrolling. */
const noteBlocking = `
  window.blocking = [];
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (name, listener, options) {
    const isOfPage = [window, document, document.documentElement, document.body].includes(this);
    if (isOfPage && /^(touchmove|wheel)$/.test(name) && options?.passive === false) window.blocking.push(name);
    return add.call(this, name, listener, options);
  };`;

t.test('a finger drags after a rest, and scrolls if it moves at once', async (t) => {
  const { page, kept } = await openAlbum(t, stage, 'abc', {
    size: 'phone',
    prepare: (context) => context.addInitScript(noteBlocking),
  });
  await canDrag(t, page);
  t.same(await page.evaluate('window.blocking'), [], 'no listener delays scrolling outside of the list');
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
  await eventually(t, kept, 'bac', 'the second one is now first');
  await shows(t, page, 'bac', 'the new order is shown');
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
  await eventually(t, kept, 'abc', 'a drag by the starting edge moves it');
  await shows(t, page, 'abc', 'the new order is shown');
  await page.getByRole('button', { name: 'Move later' }).first().press('Enter');
  await eventually(t, kept, 'bac', 'the first key press after a drag works');
});

t.test('keys move a picture, which keeps the focus and announces its position', async (t) => {
  const { page, kept } = await openAlbum(t, stage, 'abcd');
  const item = page.getByRole('main').getByRole('listitem');
  await item.nth(0).getByRole('button', { name: 'Move later' }).focus();
  await page.keyboard.press('Enter');
  await shows(t, page, 'bac', 'moved by one');
  const focused = "document.activeElement.closest('li')?.querySelector('bdi').textContent";
  await eventually(t, () => page.evaluate(focused), 'a.png', 'it has the focus');
  await page.getByText('a.png is now 2 of 4', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await shows(t, page, 'bca', 'moved by two');
  await page.keyboard.press('Enter');
  await shows(t, page, 'bcd', 'moved to the next page');
  await eventually(t, () => page.evaluate(focused), 'd.png', 'the picture in its place has the focus');
  t.equal(await kept(), 'bcd');
});

t.test('Undo restores a removed picture to its position, and as the cover (keyboard)', (t) =>
  takesOutAndBack(t, stage, 'keys', findsNothing),
);

t.test('Undo restores a cover, at the end if the picture after it was removed too', async (t) => {
  const { page, kept, coverOf, takeOut, images } = await openAlbum(t, stage, 'abc');
  const second = page.getByRole('main').getByRole('listitem').nth(1);
  await second.getByRole('button', { name: 'Set as cover' }).click();
  await second.getByRole('button', { name: 'Remove as cover', exact: true }).waitFor();
  await second.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await shows(t, page, 'ac', 'it is removed');
  await takeOut(images[2]?.id);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).press('Enter');
  await shows(t, page, 'ab', 'it is back');
  t.equal(await kept(), 'ab');
  t.equal(await coverOf(), images[1]?.id, 'it is the cover');
  const firstLines = (await notedToasts(page)).map(([first]) => first);
  t.same(firstLines, ['Removed from the album. The image stays in your gallery.'], 'no error is shown');
});

t.test('Undo restores pictures that were removed from several pages', async (t) => {
  const { page, kept } = await openAlbum(t, stage, 'abcde');
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}.png`, exact: true });
  await box('c').check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await shows(t, page, 'de', 'the second page');
  await box('d').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove', exact: true }).click();
  await sawToast(t, page, 'Removed from the album. The image stays in your gallery.');
  await eventually(t, kept, 'abe', 'they are removed');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await eventually(t, kept, 'abc', 'the third one is back at its position');
  await page.goto(`${page.url().split('?')[0]}?page=2`);
  await shows(t, page, 'de', 'so is the fourth');
});

t.test('after a drag, the live region announces the new position instead of the page', async (t) => {
  const { page } = await openAlbum(t, stage, 'abcde');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  const live = page.locator('[role="status"]').filter({ hasText: 'Page 2 of 2' });
  await live.waitFor();
  await canDrag(t, page);
  const [second, first] = [await placesOf(page, 1), await placesOf(page, 0)];
  await page.mouse.move(second.middle.x, second.middle.y);
  await page.mouse.down();
  await page.mouse.move(first.start.x, first.start.y, { steps: 8 });
  await page.locator('li[data-before]').waitFor();
  await page.mouse.up();
  await page.getByText('e.png is now 4 of 5', { exact: true }).waitFor();
});

t.test('a second press moves an album only after the first has finished', async (t) => {
  const { page } = await openAlbum(t, stage, 'a');
  await page.goto('/dashboard/albums');
  for (const name of ['Second', 'Third']) {
    await page.getByRole('button', { name: 'New album' }).click();
    await page.getByLabel('Album name').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('link', { name: 'All albums' }).click();
  }
  const changes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.postData() ?? ''));
  const { reached, release } = await hold(page, '**/api/albums/*', { method: 'PATCH' });
  const later = page.getByRole('button', { name: 'Move later' });
  await later.nth(0).click();
  await reached;
  await later.nth(1).click();
  release();
  await page.getByText(/ is now 2 of 3$/).waitFor();
  t.same(changes, ['{"position":2}']);
});

t.test('if the script of the question does not load, a toast says so', async (t) => {
  const { page, kept } = await openAlbum(t, stage, 'a');
  await page.route('**/assets/ask-*.js', (route) => route.abort());
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await sawToast(t, page, "Couldn't save the change. Try again.");
  t.equal(await kept(), 'a');
});

for (const locale of ['en-US', 'ar-EG']) {
  t.test(`if copying fails, the link is selected and a toast explains it (${locale})`, async (t) => {
    const say = wordsFor({ locale });
    const { page } = await openAlbum(t, stage, 'a', {
      locale,
      size: 'phone',
      prepare: (context) =>
        context.addInitScript(`
          Object.defineProperty(navigator, 'clipboard', { value: undefined });
          document.execCommand = () => false;`),
    });
    await page.getByRole('button', { name: say('Create public link') }).click();
    const link = page.getByRole('region', { name: say('Public link') });
    await link.getByRole('button', { name: say('Copy'), exact: true }).click();
    await sawToast(
      t,
      page,
      say("Couldn't copy: your browser blocked the clipboard"),
      say('The link is selected. Copy it from the field.'),
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

t.test('an album and its covers load as AVIF where it exists', async (t) => {
  const url = `${stage.origin}/i/made.avif`;
  const body = await picture({ format: 'avif' });
  const { page } = await openAlbum(t, stage, 'abc', {
    prepare: async (context) => {
      await context.route(url, (route) => route.fulfill({ contentType: 'image/avif', body }));
      await context.route(/\/api\/albums\//, async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        await route.fulfill({
          response,
          body: text.replaceAll('"thumbnail_avif_url":null', `"thumbnail_avif_url":"${url}"`),
        });
      });
    },
  });
  const loaded = () =>
    page.evaluate<string[]>("[...document.querySelectorAll('main img')].map((img) => img.currentSrc)");
  await eventually(t, loaded, [url, url, url], 'its pictures');
  await page.goto('/dashboard/albums');
  await eventually(t, loaded, [url, url, url], 'its covers');
  const heights = "[...document.querySelectorAll('main img')].map((img) => img.clientHeight)";
  const [large = 0, ...small] = await page.evaluate<number[]>(heights);
  t.ok(large > 100 && small.every((height) => height > 0.4 * large && height < 0.6 * large), `${large}, ${small}`);
});

t.test('album actions keep the focus nearby, and a page turn is announced', async (t) => {
  const { page } = await openAlbum(t, stage, 'abcd');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const has = (name: string, message: string) =>
    eventually(t, () => page.evaluate<string>('document.activeElement.textContent'), name, message);
  await press('Rename');
  await page.keyboard.press('Escape');
  await has('Rename', 'after cancelling');
  await press('Rename');
  await page.keyboard.type('Northeast');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Northeast' }).waitFor();
  await has('Rename', 'after saving');
  await press('Create public link');
  await has('Copy', 'after creating the link');
  await press('Turn off link');
  await press('Yes, turn it off');
  await has('Create public link', 'after ending the link');
  await press('Next');
  await page.getByRole('status').getByText('Page 2 of 2', { exact: true }).waitFor();
  await has('Prev', 'the last page is shown');
  t.equal(await page.evaluate('scrollY'), 0, 'the page is scrolled to the top');
  await press('Prev');
  await page.getByRole('status').getByText('Page 1 of 2', { exact: true }).waitFor();
  await has('Next', 'the first page is shown');
});

t.test('Undo restores a removed picture to its position, and as the cover (button)', (t) =>
  takesOutAndBack(t, stage, 'button'),
);
