import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { callInPage } from './testing/in-page.ts';
import { openStage, type PageOptions, stored } from './testing/stage.ts';
import { box, frame, openVideoPage, refusal } from './testing/video.ts';

const stage = await openStage(t);
const film = (name: string | number) => `https://media.example/${name}.mp4`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The name of the control that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText.trim()');

const links = (page: Page) => page.getByRole('list', { name: 'Last watched' }).locator('bdi').allInnerTexts();
const lists = (t: Test, page: Page, ...wanted: string[]) =>
  eventually(t, () => links(page), wanted, `the list is ${wanted.join(', ') || 'empty'}`);

async function watch(t: Test, page: Page, ...watched: string[]): Promise<void> {
  for (const link of watched) {
    await box(page).fill(link);
    await eventually(t, async () => (await links(page))[0], link, 'its frame was shown');
  }
}

async function openWith(t: Test, watched: string[], options: PageOptions = {}): Promise<Page> {
  const page = await openVideoPage(t, stage, options);
  await watch(t, page, ...watched);
  return page;
}

t.test('the last ten videos are listed, the newest first, and play again by a press', async (t) => {
  const names = Array.from({ length: 11 }, (_, index) => film(index));
  const page = await openWith(t, names);
  await lists(t, page, ...names.slice(1).reverse());
  await page.reload();
  await lists(t, page, ...names.slice(1).reverse());
  t.equal(await frame(page).count(), 0, 'nothing plays by itself');
  await button(page, `Play ${film(4)}`).click();
  await eventually(t, () => frame(page).getAttribute('src'), film(4), 'it plays');
  t.equal(await box(page).inputValue(), film(4));
  await eventually(t, async () => (await links(page)).slice(0, 2), [film(4), film(10)], 'and is the newest again');
  t.equal(await focused(page), `Play ${film(4)}`, 'the focus stays on it');
});

t.test('only what showed a frame is listed, once, and not the letters on the way to it', async (t) => {
  const page = await openVideoPage(t, stage);
  await box(page).fill('words without a link');
  await refusal(page).waitFor();
  await watch(t, page, 'https://youtu.be/dQw4w9WgXcQ', film('a'), 'https://www.youtube.com/watch?v=dQw4w9WgXcQ');
  await lists(t, page, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', film('a'));
  await watch(t, page, 'https://media.example/show');
  await box(page).pressSequentially('-2');
  await lists(t, page, 'https://media.example/show-2', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', film('a'));
});

t.test('one link is removed, and brought back where it was', async (t) => {
  const page = await openWith(t, [film('a'), film('b'), film('c')]);
  await button(page, `Remove ${film('b')}`).click();
  await lists(t, page, film('c'), film('a'));
  await eventually(t, () => focused(page), `Remove ${film('a')}`, 'the next one takes the focus');
  await page.getByRole('status').filter({ hasText: 'One link was removed.' }).waitFor();
  await button(page, 'Undo').click();
  await lists(t, page, film('c'), film('b'), film('a'));
  t.equal(await button(page, 'Undo').count(), 0);
});

t.test('the list is cleared at once, and can be brought back', async (t) => {
  const page = await openWith(t, [film('a'), film('b')]);
  await button(page, 'Clear list').click();
  await lists(t, page);
  t.notMatch(await stored(page, 'own'), /media\.example/, 'nothing of it is left in the browser');
  await eventually(t, () => focused(page), 'Undo', 'the way back has the focus');
  await page.keyboard.press('Enter');
  await lists(t, page, film('b'), film('a'));
  await page.reload();
  await lists(t, page, film('b'), film('a'));
  await button(page, 'Clear list').click();
  await page.reload();
  await box(page).waitFor();
  await lists(t, page);
});

t.test('a logout forgets the list, and nobody else sees it', async (t) => {
  const page = await openWith(t, [film('a')]);
  await page.goto('/dashboard/upload');
  await button(page, 'Logout').click();
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'own'), null);
});

t.test('the list is its account’s alone in a browser where somebody else logs in', async (t) => {
  const page = await openWith(t, [film('a')]);
  const other = await signIn(stage.app);
  await callInPage(
    page,
    '(token, user) => { localStorage.access_token = token; localStorage.user = user; }',
    other.token,
    JSON.stringify({ id: other.id }),
  );
  await page.reload();
  await box(page).waitFor();
  t.same(await links(page), []);
  t.equal(await stored(page, 'own'), null);
});

t.test('a removed link stays away, wherever its player goes meanwhile', async (t) => {
  const page = await openWith(t, [film('a')]);
  await button(page, `Remove ${film('a')}`).click();
  await lists(t, page);
  await callInPage(
    page,
    `(next) => new Promise((loaded) => {
      const frame = document.querySelector('iframe');
      frame.addEventListener('load', loaded);
      frame.contentWindow.location = next;
    }).then(() => undefined)`,
    film('advertisement'),
  );
  t.notMatch(await stored(page, 'own'), /media\.example/);
  await lists(t, page);
});

t.test('who logs in in another tab finds neither the list nor the video in this one', async (t) => {
  const page = await openWith(t, [film('a')]);
  const other = await signIn(stage.app);
  const second = await page.context().newPage();
  await second.goto('/login');
  await callInPage(
    second,
    '(token, user) => { localStorage.user = user; localStorage.access_token = token; }',
    other.token,
    JSON.stringify({ id: other.id, username: 'other', email: 'other@example.com' }),
  );
  await eventually(t, () => box(page).inputValue(), '', 'the screens are others');
  await lists(t, page);
  await watch(t, page, film('b'));
  const own: unknown = JSON.parse((await stored(page, 'own')) ?? '');
  t.same(own, { owner: other.id, values: { videos: [film('b')] } });
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`axe-core finds nothing on the list (${size})`, async (t) => {
    const page = await openWith(t, [film('a'), `https://media.example/${'long-'.repeat(60)}`], { size });
    await findsNothing(t, page, 'listed');
    await button(page, `Remove ${film('a')}`).click();
    await button(page, 'Undo').waitFor();
    await findsNothing(t, page, 'one removed');
  });
}
