/** The page works after the browser has translated it (React alone fails: facebook/react#11538). */
import t from 'tap';
import { choose, png } from '../testing/files.ts';
import { cardOf, galleryPath, openGallery, shows } from '../testing/gallery.ts';
import { openScreens } from '../testing/screens.ts';
import { openPage, type PageOptions } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';
import { textsBesideNodes, translator } from '../testing/translate.ts';

const stage = await openScreens(t);
const translated: PageOptions = { prepare: (context) => context.addInitScript(translator) };

t.test('a translated page logs in, uploads, copies and deletes', async (t) => {
  const { page: gallery, account } = await openGallery(t, stage, ['a.png'], translated);
  await gallery.getByRole('button', { name: 'Logout', exact: true }).click();
  const page = await openPage(t, stage, translated);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill('a wrong password');
  await button('Login').click();
  await sawToast(t, page, 'Login failed. Please check your credentials.');
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await button('Login').click();
  await sawToast(t, page, 'Login successful 🎉');
  await choose(page, [await png('b.png')]);
  await button('Upload').click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  await page.goto(galleryPath);
  await shows(t, page, 'b.png', 'a.png');
  const card = cardOf(page, 'b.png');
  await card.getByRole('button', { name: 'Copy', exact: true }).click();
  await card.getByRole('button', { name: 'Copied!', exact: true }).waitFor();
  await card.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  await card.getByRole('button', { name: 'Delete', exact: true }).click();
  await button('Yes, Delete').click();
  await sawToast(t, page, 'Image deleted.');
  await shows(t, page, 'a.png');
  t.same(await textsBesideNodes(page), [], 'each text is alone in its element');
});
