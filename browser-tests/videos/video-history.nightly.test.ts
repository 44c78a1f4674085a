import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { eventually } from '../testing/eventually.ts';
import { callInPage } from '../testing/in-page.ts';
import { openStage, stored } from '../testing/stage.ts';
import { box, film, frame, links, lists, openVideoPage, openWith, refusal, watch } from '../testing/video.ts';

const stage = await openStage(t);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The name of the focused control. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText.trim()');

t.test('the list contains only links that loaded a player, once each, without intermediate texts', async (t) => {
  const page = await openVideoPage(t, stage);
  await box(page).fill('words without a link');
  await refusal(page).waitFor();
  await watch(t, page, 'https://youtu.be/dQw4w9WgXcQ', film('a'), 'https://www.youtube.com/watch?v=dQw4w9WgXcQ');
  await lists(t, page, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', film('a'));
  await watch(t, page, 'https://media.example/show');
  await box(page).pressSequentially('-2');
  await lists(t, page, 'https://media.example/show-2', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', film('a'));
});

t.test('the list is cleared at once, and restored by Undo', async (t) => {
  const page = await openWith(t, stage, [film('a'), film('b')]);
  await button(page, 'Clear list').click();
  await lists(t, page);
  t.notMatch(await stored(page, 'own'), /media\.example/, 'the links are removed from the browser');
  await button(page, 'Undo').waitFor();
  await eventually(t, () => focused(page), 'مشغّل فيديو من مزوّد سحابي', 'the heading has the focus');
  await page.keyboard.press('Control+z');
  await lists(t, page, film('b'), film('a'));
  await page.reload();
  await lists(t, page, film('b'), film('a'));
  await button(page, 'Clear list').click();
  await page.reload();
  await box(page).waitFor();
  await lists(t, page);
});

t.test('a logout deletes the list', async (t) => {
  const page = await openWith(t, stage, [film('a')]);
  await page.goto('/dashboard/upload');
  await button(page, 'Logout').click();
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'own'), null);
});

t.test('the list is deleted when another account logs in', async (t) => {
  const page = await openWith(t, stage, [film('a')]);
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

t.test('a removed link stays removed when its player navigates', async (t) => {
  const page = await openWith(t, stage, [film('a')]);
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

t.test('a login in another tab clears the list and the video in this one', async (t) => {
  const page = await openWith(t, stage, [film('a')]);
  const other = await signIn(stage.app);
  const second = await page.context().newPage();
  await second.goto('/login');
  await callInPage(
    second,
    '(token, user) => { localStorage.user = user; localStorage.access_token = token; }',
    other.token,
    JSON.stringify({ id: other.id, username: 'other', email: 'other@example.com' }),
  );
  await eventually(t, () => box(page).inputValue(), '', 'the screen is reset');
  await lists(t, page);
  await watch(t, page, film('b'));
  const own: unknown = JSON.parse((await stored(page, 'own')) ?? '');
  t.same(own, { owner: other.id, values: { videos: [film('b')] } });
});

t.test('a link is removed, and restored to its position by Undo', async (t) => {
  const page = await openWith(t, stage, [film('a'), film('b'), film('c')]);
  await button(page, `Remove ${film('b')}`).click();
  await lists(t, page, film('c'), film('a'));
  await eventually(t, () => focused(page), `Remove ${film('a')}`, 'the next link has the focus');
  await page.getByRole('status').filter({ hasText: 'Removed 1 link' }).waitFor();
  await button(page, 'Undo').click();
  await lists(t, page, film('c'), film('b'), film('a'));
  await eventually(t, () => button(page, 'Undo').count(), 0, 'the toast leaves');
});

t.test('the last ten videos are listed, newest first, and play again on a click', async (t) => {
  const names = Array.from({ length: 11 }, (_, index) => film(index));
  const page = await openWith(t, stage, names);
  await lists(t, page, ...names.slice(1).reverse());
  await page.reload();
  await lists(t, page, ...names.slice(1).reverse());
  t.equal(await frame(page).count(), 0, 'nothing plays without a click');
  await button(page, `Play ${film(4)}`).click();
  await eventually(t, () => frame(page).getAttribute('src'), film(4), 'it plays');
  t.equal(await box(page).inputValue(), film(4));
  await eventually(t, async () => (await links(page)).slice(0, 2), [film(4), film(10)], 'it is the newest again');
  t.equal(await focused(page), `Play ${film(4)}`, 'the focus stays on the link');
});
