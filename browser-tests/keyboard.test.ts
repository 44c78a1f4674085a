import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { eventually } from './testing/eventually.ts';
import { pngs } from './testing/files.ts';
import { cardNames, openGallery, shows } from './testing/gallery.ts';
import { textOf } from './testing/in-page.ts';
import { openPage, openStage } from './testing/stage.ts';
import { sawToast } from './testing/toasts.ts';

const stage = await openStage(t);

/** The accessible name, near enough, of what has the focus; in a card with the picture's name behind it. */
const focused = (page: Page) =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const name = element.getAttribute('aria-label') || element.labels?.[0]?.textContent
      || (element.innerText.trim() || element.querySelector('img')?.alt || element.tagName);
    const card = element.closest('main li')?.querySelector('bdi')?.textContent;
    return card && !name.includes(card) ? name + ' ' + card : name;
  })()`) as Promise<string>;

/** Presses Tab until the control has the focus; each stop on the way is visibly focused. */
async function tabTo(t: Test, page: Page, name: string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 40; press++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
    passed.push(await focused(page));
  }
  t.fail(`Tab does not reach ${name}`, { passed });
}

/** Whether what has the focus shows it by an outline or a ring. */
const showsFocus = (page: Page) =>
  page.evaluate(`[document.activeElement, document.activeElement.parentElement].some((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
  })`) as Promise<boolean>;

async function press(t: Test, page: Page, name: string): Promise<void> {
  await tabTo(t, page, name);
  t.equal(await showsFocus(page), true, `the focus is seen on ${name}`);
  await page.keyboard.press('Enter');
}

t.test('everything is done by the keyboard alone, from the login to the logout', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage);
  await page.goto('/login');
  await page.getByRole('heading', { level: 1 }).waitFor();

  await tabTo(t, page, 'Email');
  await page.keyboard.type(account.email);
  await tabTo(t, page, 'Password');
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/upload');

  const zone = page.getByRole('button', { name: /click to choose/ });
  await zone.waitFor();
  // Listened for from here on: a key overtakes the word that keeps the file chooser for the test, and a busy page hears that too late.
  const chooser = page.waitForEvent('filechooser');
  chooser.catch(() => undefined);
  await tabTo(t, page, (await textOf(zone)).trim());
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(await pngs('one.png', 'two.png', 'three.png'));
  await page.getByRole('button', { name: 'Remove three.png' }).waitFor();
  await press(t, page, 'Remove three.png');
  await press(t, page, 'Upload');
  await sawToast(t, page, 'Images uploaded successfully 📸');

  await tabTo(t, page, 'View Images', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await shows(t, page, 'two.png', 'one.png');
  await press(t, page, 'one.png');
  await page.getByRole('dialog', { name: 'one.png' }).waitFor();
  await eventually(t, () => focused(page), 'Close', 'the focus is on Close');
  await page.keyboard.press('Enter');
  await eventually(t, () => focused(page), 'one.png', 'and back on the card');

  await press(t, page, 'Delete one.png');
  await page.getByRole('dialog', { name: 'Are you sure?' }).waitFor();
  await eventually(t, () => focused(page), 'Cancel', 'the question begins on Cancel');
  await press(t, page, 'Yes, Delete');
  await sawToast(t, page, 'Image deleted.');
  await shows(t, page, 'two.png');
  await eventually(t, () => focused(page), 'two.png', 'the focus goes to the neighbour');

  await tabTo(t, page, 'Logout', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
});

t.test('arrows go from picture to picture, and scroll keys stay the browser’s', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  await tabTo(t, page, 'a.png');
  await page.keyboard.press('ArrowRight');
  t.equal(await focused(page), 'b.png');
  await page.keyboard.press('ArrowLeft');
  t.equal(await focused(page), 'a.png');
});

t.test('a slash leads to the search, Esc clears it', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await page.keyboard.press('/');
  await eventually(t, () => focused(page), 'Search images', 'the box has the focus');
  await page.keyboard.type('b');
  await shows(t, page, 'b.png');
  await page.keyboard.press('Escape');
  await eventually(t, () => cardNames(page), ['a.png', 'b.png'], 'all are there again');
});
