import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { eventually } from '../testing/eventually.ts';
import { pngs } from '../testing/files.ts';
import { shows } from '../testing/gallery.ts';
import { textOf } from '../testing/in-page.ts';
import { focused, press, tabTo } from '../testing/keyboard.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);

t.test('every basic task works by keyboard, from login to logout', async (t) => {
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
  // Listens early: on a busy page, a key press can arrive before the file chooser interception is active.
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
  await eventually(t, () => focused(page), 'one.png', 'the focus returns to the card');

  await press(t, page, 'Delete one.png');
  await page.getByRole('dialog', { name: 'Are you sure?' }).waitFor();
  await eventually(t, () => focused(page), 'Cancel', 'the question starts on Cancel');
  await press(t, page, 'Yes, Delete');
  await sawToast(t, page, 'Image deleted.');
  await shows(t, page, 'two.png');
  await eventually(t, () => focused(page), 'two.png', 'the focus moves to the neighbour');

  await tabTo(t, page, 'Logout', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
});
