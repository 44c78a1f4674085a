import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);
const links = {
  'Upload Images': '/dashboard/upload',
  'View Images': '/dashboard/images',
  'Video Player': '/dashboard/video',
};
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Dashboard' });
const widthOf = async (page: Page) => Math.round((await sidebar(page).boundingBox())?.width ?? 0);

t.test('the sidebar is titled Dashboard and contains the three links, Albums, Settings and Logout', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await sidebar(page).getByText('Dashboard', { exact: true }).waitFor();
  t.same(await sidebar(page).getByRole('link').allInnerTexts(), [
    ...Object.keys(links),
    'Albums',
    'My links',
    'Settings',
  ]);
  for (const [name, href] of Object.entries(links)) {
    await sidebar(page).getByRole('link', { name, exact: true }).click();
    await page.waitForURL(`**${href}`);
    const current = sidebar(page).locator('[aria-current="page"]');
    await eventually(t, () => current.allInnerTexts(), [name], `${name} is marked as the current page`);
  }
  t.equal(await sidebar(page).getByRole('button', { name: 'Logout', exact: true }).count(), 1);
});

t.test('the sidebar is collapsed and expanded by its toggle', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const collapse = page.getByRole('button', { name: 'Collapse sidebar', exact: true });
  const expand = page.getByRole('button', { name: 'Expand sidebar', exact: true });
  await collapse.waitFor();
  const wide = await widthOf(page);
  t.equal(await collapse.getAttribute('aria-expanded'), 'true');
  await collapse.click();
  await expand.waitFor();
  await eventually(t, async () => (await widthOf(page)) < wide / 2, true, 'collapsed is less than half as wide');
  for (const name of [...Object.keys(links), 'Logout']) {
    t.equal(
      await sidebar(page).getByText(name, { exact: true }).count(),
      1,
      `${name} is still available to screen readers`,
    );
  }
  await page.reload();
  await expand.waitFor();
  t.ok((await widthOf(page)) < wide / 2, 'a reload keeps it collapsed');
  await expand.click();
  await collapse.waitFor();
  await eventually(t, () => widthOf(page), wide, 'it is expanded again');
});

t.test('the toggle of the sidebar responds before the page is laid out again', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/images');
  await page.getByRole('button', { name: 'Collapse sidebar', exact: true }).waitFor();
  const atFirstFrame = `(async () => {
    const toggle = document.querySelector('[aria-controls="navigation"]');
    toggle.click();
    await new Promise(requestAnimationFrame);
    return [toggle.getAttribute('aria-expanded'), toggle.closest('aside').hasAttribute('data-rail')];
  })()`;
  t.same(await page.evaluate(atFirstFrame), ['false', false]);
  await eventually(t, () => sidebar(page).getAttribute('data-rail'), 'true', 'then it is collapsed');
});

t.test('on a phone the links are at the bottom, title and Logout at the top', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', { size: 'phone' });
  const bar = page.getByRole('banner');
  await bar.getByText('Dashboard', { exact: true }).waitFor();
  t.equal(await page.getByRole('button', { name: /sidebar/ }).count(), 0, 'there is nothing to collapse');
  const nav = page.getByRole('navigation', { name: 'Main' });
  t.same(await nav.getByRole('link').allInnerTexts(), Object.keys(links));
  const box = await nav.boundingBox();
  t.equal(Math.round((box?.y ?? 0) + (box?.height ?? 0)), 844, 'at the bottom edge');
  for (const link of await nav.getByRole('link').all()) {
    t.ok(((await link.boundingBox())?.height ?? 0) >= 44, 'large enough for a thumb');
  }
  await nav.getByRole('link', { name: 'View Images' }).tap();
  await page.waitForURL('**/dashboard/images');
  await bar.getByRole('button', { name: 'Logout', exact: true }).tap();
  await page.waitForURL('**/login');
});

t.test('the skip link leads to the content', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.keyboard.press('Enter');
  await eventually(t, () => page.evaluate('document.activeElement.id'), 'main', 'the focus is in the content');
});

t.test('a change of page updates the title and focuses the heading', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await eventually(t, () => page.title(), 'Upload Images', 'the first page has rendered');
  await page.getByRole('link', { name: 'View Images' }).click();
  await eventually(t, () => page.title(), 'Image Gallery', 'the title follows');
  const focused = () => page.evaluate('document.activeElement.tagName');
  await eventually(t, focused, 'H1', 'the heading has the focus');
});

t.test('the theme is changed by its button and persists', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const theme = sidebar(page).getByRole('button', { name: /^Theme/ });
  const chosen = () => page.evaluate<string>("document.documentElement.dataset.theme ?? 'system'");
  t.equal(await chosen(), 'system');
  for (const next of ['light', 'dark', 'system', 'light', 'dark']) {
    await theme.click();
    await eventually(t, chosen, next, `the chosen theme applies: ${next}`);
  }
  await page.reload();
  await theme.waitFor();
  t.equal(await chosen(), 'dark', 'a reload keeps it');
});
