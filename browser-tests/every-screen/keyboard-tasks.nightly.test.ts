/** Every task of the pages besides the gallery's basics, by keyboard alone. */
import t from 'tap';
import { logIn, signIn } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { eventually } from '../testing/eventually.ts';
import { damaged, pngs } from '../testing/files.ts';
import { openGallery, shows } from '../testing/gallery.ts';
import { textOf } from '../testing/in-page.ts';
import { focused, hasFocus, press, tabTo, type } from '../testing/keyboard.ts';
import { openPage, openSignedIn, openStage, stored } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';
import { openVideoPage } from '../testing/video.ts';

const stage = await openStage(t, { pageSize: 3 });
const permissions = ['clipboard-read', 'clipboard-write'];

t.test('an account is created by keyboard', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await press(t, page, 'Sign Up');
  await page.waitForURL('**/register');
  // The URL changes before the page renders.
  await page.getByRole('button', { name: 'Register', exact: true }).waitFor();
  await type(t, page, 'Username', 'keys');
  await type(t, page, 'Email', 'keys@example.com');
  await type(t, page, 'Password', 'a long enough password');
  await press(t, page, 'Show password');
  await press(t, page, 'Register');
  await sawToast(t, page, 'Registration successful! You can now login.');
});

t.test('files are chosen, removed, uploaded, paused, resumed, retried and cleared by keyboard', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const zone = page.getByRole('button', { name: /click to choose/ });
  await zone.waitFor();
  const chooser = page.waitForEvent('filechooser');
  chooser.catch(() => undefined);
  await press(t, page, (await textOf(zone)).trim());
  await (await chooser).setFiles([...(await pngs('one.png', 'two.png')), await damaged('cut.jpg')]);
  await page.getByRole('button', { name: 'Remove two.png' }).waitFor();
  await tabTo(t, page, 'Remove two.png');
  await page.keyboard.press('Delete');
  await hasFocus(t, page, 'Remove cut.jpg');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const full = {
    statusCode: 413,
    code: 'QUOTA_EXCEEDED',
    error: 'Payload Too Large',
    message: 'Your account is full.',
  };
  await page.route('**/api/images/upload', (route) => held.then(() => route.fulfill({ status: 413, json: full })), {
    times: 1,
  });
  await press(t, page, 'Upload');
  await hasFocus(t, page, 'Cancel');
  await press(t, page, 'Pause', 'Shift+Tab');
  await hasFocus(t, page, 'Resume');
  await page.keyboard.press('Enter');
  await hasFocus(t, page, 'Pause');
  release();
  await sawToast(t, page, 'Upload failed. Please try again.');
  await press(t, page, 'Retry cut.jpg', 'Shift+Tab');
  await page.getByText('The image is damaged').first().waitFor();
  await press(t, page, 'Dismiss', 'Shift+Tab');
  await press(t, page, 'Clear all');
  await page.getByText('No images chosen yet').waitFor();
});

t.test('a gallery is sorted, and several images are copied, downloaded and deleted by keyboard', async (t) => {
  const { page, images } = await openGallery(t, stage, ['d.png', 'b.png', 'c.png'], { permissions });
  await tabTo(t, page, 'Sort by');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await shows(t, page, 'b.png', 'c.png', 'd.png');
  await press(t, page, 'Copy b.png');
  await hasFocus(t, page, 'Copied! b.png');
  t.equal(await page.evaluate('navigator.clipboard.readText()'), images[1]?.url);
  await press(t, page, 'Select', 'Shift+Tab');
  await tabTo(t, page, 'b.png');
  await page.keyboard.press('Enter');
  await tabTo(t, page, 'c.png');
  await page.keyboard.press('Shift+Enter');
  await page.getByText('2 selected', { exact: true }).waitFor();
  await tabTo(t, page, 'Select all');
  await page.keyboard.press('ArrowRight');
  await hasFocus(t, page, 'Copy links');
  await page.keyboard.press('Enter');
  await hasFocus(t, page, 'Link');
  await page.keyboard.press('Enter');
  await sawToast(t, page, '2 links copied');
  await hasFocus(t, page, 'Copy links');
  for (const next of ['Share', 'Download']) {
    await page.keyboard.press('ArrowRight');
    await hasFocus(t, page, next);
  }
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  t.match((await download).suggestedFilename(), /\.zip$/);
  while ((await focused(page)) !== 'Delete') await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await hasFocus(t, page, 'Cancel');
  await press(t, page, 'Yes, Delete');
  await shows(t, page, 'd.png');
});

t.test('pages are turned by keyboard', async (t) => {
  const { account } = await openGallery(t, stage, ['b.png', 'a.png']);
  await storeFiles(
    stage.app,
    account,
    (await pngs('d.png', 'c.png')).map(({ name, buffer }) => ({ name, bytes: buffer })),
  );
  const { page } = await openSignedIn(t, stage, '/dashboard/images', { account });
  await page.getByText('Page 1 of 2', { exact: true }).waitFor();
  await press(t, page, 'Next');
  await page.getByText('Page 2 of 2', { exact: true }).waitFor();
  await press(t, page, 'Prev', 'Shift+Tab');
  await page.getByText('Page 1 of 2', { exact: true }).waitFor();
});

t.test('an album is created, filled, reordered, shared, renamed and deleted by keyboard', async (t) => {
  const account = await signIn(stage.app);
  const files = (await pngs('a.png', 'b.png')).map(({ name, buffer }) => ({ name, bytes: buffer }));
  const ids = (await storeFiles(stage.app, account, files)).map(({ id }) => id);
  const { page } = await openSignedIn(t, stage, '/dashboard/albums', { account });
  await page.getByText('No albums yet.').waitFor();
  await press(t, page, 'New album');
  await hasFocus(t, page, 'Album name');
  await page.keyboard.type('First');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
  const url = `/api/albums/${new URL(page.url()).pathname.split('/').at(-1)}/images`;
  await stage.app.inject({ method: 'POST', url, headers: account.bearer, payload: { ids } });
  await page.reload();
  const names = () => page.getByRole('main').locator('p bdi').allInnerTexts();
  await eventually(t, names, ['a.png', 'b.png'], 'as they were added');
  await press(t, page, 'Move later a.png');
  await eventually(t, names, ['b.png', 'a.png'], 'in the new order');
  await press(t, page, 'Set as cover a.png');
  await hasFocus(t, page, 'Remove as cover a.png');
  await press(t, page, 'Create public link', 'Shift+Tab');
  await tabTo(t, page, 'Public link');
  const link = await page.getByRole('region', { name: 'Public link' }).getByRole('textbox').inputValue();
  t.equal((await fetch(link)).status, 200);
  await press(t, page, 'Turn off link');
  await hasFocus(t, page, 'Cancel');
  await press(t, page, 'Yes, turn it off');
  await sawToast(t, page, 'Link turned off');
  t.equal((await fetch(link)).status, 404);
  await press(t, page, 'Remove b.png');
  await eventually(t, names, ['a.png'], 'one has left the album');
  await press(t, page, 'Rename', 'Shift+Tab');
  await hasFocus(t, page, 'Album name');
  await page.keyboard.type('Second');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
  await press(t, page, 'Delete', 'Shift+Tab');
  await hasFocus(t, page, 'Cancel');
  await press(t, page, 'Yes, Delete');
  await page.getByText('No albums yet.').waitFor();
});

t.test('a video is played, its field cleared, and the recent links removed and restored by keyboard', async (t) => {
  const page = await openVideoPage(t, stage);
  const film = 'https://media.example/film.mp4';
  await type(t, page, 'Video URL', film);
  await page.getByRole('button', { name: `Play ${film}` }).waitFor();
  await press(t, page, 'Clear');
  await hasFocus(t, page, 'Video URL');
  await press(t, page, `Remove ${film}`);
  // The list is gone with its last link.
  await hasFocus(t, page, 'مشغّل فيديو من مزوّد سحابي');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.keyboard.press('Control+z');
  await press(t, page, `Play ${film}`);
  await eventually(t, () => page.getByLabel('Video URL', { exact: true }).inputValue(), film, 'it plays again');
});

t.test('theme, language, password and sessions are changed, and the account is deleted by keyboard', async (t) => {
  const account = await signIn(stage.app);
  await logIn(stage.app, account);
  const { page } = await openSignedIn(t, stage, '/dashboard/settings', { account });
  await page.getByText('This device').waitFor();
  await tabTo(t, page, 'System');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await eventually(t, () => page.locator('html').getAttribute('data-theme'), 'dark', 'the theme is dark');
  await tabTo(t, page, 'English');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { level: 1, name: 'الإعدادات' }).waitFor();
  t.equal(await focused(page), 'العربية', 'the focus stays');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await press(t, page, 'Log out lightMyRequest');
  await sawToast(t, page, 'Logged out 1 device');
  await page.reload();
  await page.getByText('This device').waitFor();
  await tabTo(t, page, 'New password');
  await page.keyboard.type('a new password');
  await tabTo(t, page, 'Current password', 'Shift+Tab');
  await page.keyboard.type(account.password);
  await press(t, page, 'Change password');
  await sawToast(t, page, 'Saved');
  await press(t, page, 'Delete account…');
  await hasFocus(t, page, 'Your password');
  await page.keyboard.type('a new password');
  await press(t, page, 'Delete account');
  await page.waitForURL('**/login');
  t.equal(await stored(page, 'access_token'), null);
});
