import t from 'tap';
import { findsNothingHere } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { cardNames, openGallery, pictureOf, shows } from '../testing/gallery.ts';
import { focused, tabTo } from '../testing/keyboard.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);

t.test('`?` lists the shortcuts, and a switch turns single keys off', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const enabled = sheet.getByRole('checkbox', { name: 'Single-key shortcuts' });

  await page.keyboard.press('/');
  await eventually(t, () => focused(page), 'Search images', '/ is on at first');
  await page.keyboard.type('?');
  t.notOk(await sheet.isVisible(), 'a field takes the key as text');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await sheet.waitFor();
  await findsNothingHere(t, page, 'the shortcuts');
  await enabled.uncheck();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  await page.keyboard.press('[');
  await pictureOf(page, 'a.png').click();
  const overlay = page.getByRole('dialog', { name: 'a.png' });
  await overlay.getByRole('button', { name: 'Close', exact: true }).waitFor();
  const details = overlay.getByRole('heading', { name: 'Details' });
  await details.waitFor();
  await page.keyboard.press('i');
  t.ok(await details.isVisible(), 'i does nothing');
  t.notOk(await sheet.isVisible(), '? does nothing');
  await page.keyboard.press('Escape');
  await overlay.waitFor({ state: 'detached' });
  t.ok(await page.getByRole('button', { name: 'Collapse sidebar' }).isVisible(), '[ does nothing');

  await page.reload();
  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  t.notOk(await enabled.isChecked(), 'the choice is kept');
  await enabled.check();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('[');
  await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
});

t.test('closing the list over an image leaves the page behind it locked', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const isLocked = () => page.evaluate("document.documentElement.style.overflow === 'hidden'");
  await pictureOf(page, 'a.png').click();
  await page.getByRole('dialog', { name: 'a.png' }).waitFor();
  await page.keyboard.press('?');
  await sheet.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  t.equal(await isLocked(), true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'a.png' }).waitFor({ state: 'detached' });
  t.equal(await isLocked(), false);
});

t.test('the question for the account stays open when a selection of text ends outside of it', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/settings');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const box = await dialog.boundingBox();
  if (!box) throw new Error('The dialog has no box.');
  const [middle, right] = [box.y + box.height / 2, box.x + box.width];
  await page.mouse.move(right - 60, middle);
  await page.mouse.down();
  await page.mouse.move(right + 60, middle, { steps: 4 });
  await page.mouse.up();
  t.ok(await dialog.isVisible(), 'a drag from inside to outside');
  await page.mouse.click(right + 60, middle);
  await dialog.waitFor({ state: 'detached' });
});

t.test('arrow keys move between pictures, and scrolling keys keep working', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png', 'c.png']);
  await tabTo(t, page, 'a.png');
  await page.keyboard.press('ArrowRight');
  t.equal(await focused(page), 'b.png');
  await page.keyboard.press('ArrowLeft');
  t.equal(await focused(page), 'a.png');
});

t.test('a slash focuses the search, and Esc clears it', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await page.keyboard.press('/');
  await eventually(t, () => focused(page), 'Search images', 'the field has the focus');
  await page.keyboard.type('b');
  await shows(t, page, 'b.png');
  await page.keyboard.press('Escape');
  await eventually(t, () => cardNames(page), ['a.png', 'b.png'], 'all images are shown again');
});
