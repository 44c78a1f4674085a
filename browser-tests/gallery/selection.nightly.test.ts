/** Ways to select images. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { openGallery, pictureOf, shows } from '../testing/gallery.ts';
import { opacityOf } from '../testing/in-page.ts';
import { areSelected, bar, canSweep, sweep, tick, tool } from '../testing/selecting.ts';
import { openStage } from '../testing/stage.ts';

const stage = await openStage(t, { pageSize: 4 });
const five = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
const four = five.slice(0, 4);
const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.id || document.activeElement.innerText || document.activeElement.tagName',
  );
const open = (t: Parameters<typeof openGallery>[0], options = {}) => openGallery(t, stage, four, options);

t.test('a card’s checkbox appears on hover or focus, selects, and leaves X to the gallery', async (t) => {
  const { page } = await open(t);
  t.equal(await opacityOf(tick(page, 'b.png')), '0');
  await pictureOf(page, 'b.png').hover();
  await eventually(t, () => opacityOf(tick(page, 'b.png')), '1', 'the checkbox is visible');
  await tick(page, 'b.png').click();
  await areSelected(t, page, ['b.png']);
  await tick(page, 'd.png').press('Space');
  await areSelected(t, page, ['b.png', 'd.png']);
  await page.keyboard.press('x');
  await areSelected(t, page, ['b.png']);
});

t.test('X selects the focused image, Ctrl+A the page, and Esc leaves selection mode', async (t) => {
  const { page } = await open(t);
  await pictureOf(page, 'b.png').press('x');
  await areSelected(t, page, ['b.png']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('x');
  await areSelected(t, page, ['b.png', 'c.png']);
  await page.keyboard.press('Control+a');
  await areSelected(t, page, four);
  t.equal(await page.evaluate('String(getSelection())'), '', 'no text is selected');
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  t.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
  await pictureOf(page, 'a.png').press('Control+a');
  await areSelected(t, page, four);
});

t.test('selection keys do nothing in the search field and in the overlay', async (t) => {
  const { page } = await open(t);
  await page.getByRole('searchbox').pressSequentially('x');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  t.equal(await page.getByRole('searchbox').inputValue(), '');
  t.equal(await bar(page).count(), 0);
  await shows(t, page, ...four);
  await pictureOf(page, 'a.png').click();
  await page.getByRole('dialog', { name: 'a.png' }).waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.equal(await bar(page).count(), 0);
});

t.test('a frame adds the images it touches to the selection', async (t) => {
  const { page } = await open(t);
  await canSweep(t, page);
  await tick(page, 'd.png').check();
  await sweep(page, { of: 'a.png', x: -12, y: 30 }, { of: 'b.png', x: 20, y: 60 });
  await areSelected(t, page, ['a.png', 'b.png', 'd.png']);
  const [box] = [await pictureOf(page, 'a.png').boundingBox()];
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 60, { steps: 4 });
  await areSelected(t, page, ['a.png', 'd.png']);
  await page.mouse.up();
  await areSelected(t, page, ['a.png', 'd.png']);
  t.equal(await page.evaluate('String(getSelection())'), '', 'no text is selected');
  await sweep(page, { of: 'c.png', x: 20, y: 20 }, { of: 'b.png', x: 20, y: 60 });
  await page.mouse.up();
  await areSelected(t, page, ['a.png', 'd.png']);
});

t.test('the toolbar is one Tab stop, and arrows, Home and End move within it', async (t) => {
  const { page } = await open(t);
  await tick(page, 'a.png').check();
  await tool(page, 'Select all').focus();
  const words: string[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home']) {
    await page.keyboard.press(key);
    words.push(await focused(page));
  }
  t.same(words, ['Copy links', 'Share', 'Cancel', 'Select all', 'Cancel', 'Select all']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+Tab');
  t.equal(await bar(page).locator(':focus').count(), 0, 'one Tab leaves the toolbar');
  await page.keyboard.press('Tab');
  t.equal(await focused(page), 'Copy links', 'Tab returns to the last button');
});

t.test('a finger selects after resting for 500 ms, but not if it moves', async (t) => {
  const { page } = await open(t, { size: 'phone' });
  const box = await pictureOf(page, 'a.png').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 60];
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx, y }] });
  await touch('touchStart');
  await touch('touchMove', 30);
  await page.clock.runFor(1_000);
  t.equal(await bar(page).count(), 0, 'the finger moved');
  await touch('touchEnd');
  await touch('touchStart');
  await touch('touchMove', 3);
  await page.clock.runFor(490);
  t.equal(await bar(page).count(), 0, 'not yet after 490 ms');
  await page.clock.runFor(10);
  await areSelected(t, page, ['a.png']);
  await touch('touchEnd');
});

t.test('a selected image that is renamed in another window is copied by its new name', async (t) => {
  const { page, account, images } = await openGallery(t, stage, ['a.png'], {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await tick(page, 'a.png').check();
  const url = `/api/images/${images[0]?.id}`;
  await stage.app.inject({ method: 'PATCH', url, headers: account.bearer, payload: { filename: 'b.png' } });
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await shows(t, page, 'b.png');
  await tool(page, 'Copy links').click();
  await page.getByRole('menuitem', { name: 'Markdown', exact: true }).click();
  await eventually(
    t,
    () => page.evaluate<string>('navigator.clipboard.readText()'),
    `![b.png](${images[0]?.url})`,
    'the new name',
  );
});
