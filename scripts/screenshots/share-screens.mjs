/** Shares: their dialog, My links, and what visitors see. The format is that of screens.mjs. */
import { showDetails } from './show-details.mjs';

const heading = (page) => page.getByRole('heading', { level: 1 }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const password = 'a long enough password';

async function open(page, path) {
  await page.goto(path);
  await heading(page);
  await page.waitForLoadState('networkidle');
}

/** The dialog for three selected pictures. */
async function openDialog(page, say) {
  await open(page, '/dashboard/images');
  await button(page, say('Select')).click();
  for (const index of [0, 3, 4]) await page.getByRole('checkbox').nth(index).check();
  await button(page, say('Share')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Short name')).waitFor();
  return dialog;
}

async function create(page, say) {
  const dialog = await openDialog(page, say);
  await dialog.getByLabel(say('Password'), { exact: true }).fill(password);
  await button(dialog, say('Create link')).click();
  await button(dialog, say('Done')).waitFor();
  return dialog;
}

async function openLinks(page) {
  await open(page, '/dashboard/links');
  await page.getByRole('main').getByText('Southwest').first().waitFor();
}

const rowOf = (page, name) => page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first();

/** @returns the path of the share with this name */
async function pathOf(page, name) {
  await open(page, '/dashboard/images');
  const token = await page.evaluate(() => localStorage.getItem('access_token'));
  const answer = await page.request.get('/api/shares', { headers: { authorization: `Bearer ${token}` } });
  return new URL((await answer.json()).shares.find((share) => share.name === name).url).pathname;
}

export const shares = [
  { name: 'share', as: 'sharer', show: (page, _pictures, say) => openDialog(page, say) },
  {
    name: 'share-refused',
    as: 'sharer',
    show: async (page, _pictures, say) => {
      const dialog = await openDialog(page, say);
      await dialog.getByLabel(say('Expires')).selectOption('date');
      await dialog.getByLabel(say('Short name')).fill('summer');
      await button(dialog, say('Create link')).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'share-warning',
    as: 'sharer',
    show: async (page, _pictures, say) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {} } });
      });
      await open(page, '/dashboard/images');
      await page
        .getByRole('main')
        .getByRole('button', { name: say('Copy') })
        .first()
        .click();
      await button(page, say('Select')).click();
      for (const index of [0, 1]) await page.getByRole('checkbox').nth(index).check();
      await button(page, say('Share')).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say('Password'), { exact: true }).fill(password);
      await button(dialog, say('Create link')).waitFor();
    },
  },
  { name: 'shares', as: 'sharer', show: openLinks },
  {
    name: 'share-edit',
    as: 'sharer',
    show: async (page, _pictures, say) => {
      await openLinks(page);
      await rowOf(page, 'Southwest').getByText(say('Edit'), { exact: true }).click();
      await page.getByRole('dialog').getByLabel(say('Remove the password')).waitFor();
    },
  },
  {
    name: 'share-end',
    as: 'sharer',
    show: async (page, _pictures, say) => {
      await openLinks(page);
      await rowOf(page, 'Southwest').getByText(say('End'), { exact: true }).click();
      await button(page, say('Yes, end it')).waitFor();
    },
  },
  {
    name: 'share-overlay',
    as: 'sharer',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/images');
      await page.getByRole('main').getByRole('button', { name: 'canyon-arch.jpg', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await showDetails(dialog, say);
      await button(dialog, say('Share')).scrollIntoViewIfNeeded();
      await dialog.locator('[data-current] [data-state="there"]').waitFor();
    },
  },
  { name: 'share-page', as: 'sharer', show: async (page) => open(page, await pathOf(page, 'A day at the sea')) },
  {
    name: 'share-slideshow',
    as: 'sharer',
    show: async (page) => {
      await open(page, await pathOf(page, 'A day at the sea'));
      await page.locator('[data-slideshow]').click();
      await page.getByRole('dialog').locator('[data-current] [data-state="there"]').waitFor();
    },
  },
  { name: 'share-password', as: 'sharer', show: async (page) => open(page, await pathOf(page, 'Southwest')) },
  {
    name: 'share-password-wrong',
    as: 'sharer',
    show: async (page) => {
      await open(page, await pathOf(page, 'Southwest'));
      await page.locator('input[type=password]').fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'share-missing', as: 'nobody', show: (page) => open(page, `/s/${'x'.repeat(22)}`) },
  // Last, because they add shares.
  { name: 'share-made', as: 'sharer', show: (page, _pictures, say) => create(page, say) },
  {
    name: 'share-code',
    as: 'sharer',
    show: async (page, _pictures, say) => {
      const dialog = await create(page, say);
      await button(dialog, say('QR code')).click();
      await page.getByRole('dialog').getByRole('img').waitFor();
    },
  },
];

/** Shares an album with a password, and pictures without. */
export async function makeShares(origin, { access_token }) {
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const read = async (path) => (await fetch(`${origin}/api/${path}`, { headers })).json();
  const share = async (options) => {
    const answer = await fetch(`${origin}/api/shares`, { method: 'POST', headers, body: JSON.stringify(options) });
    if (!answer.ok) throw new Error(`a share was answered with ${answer.status}: ${await answer.text()}`);
  };
  const { albums } = await read('albums/');
  const { images } = await read('images/');
  const ids = images.map(({ id }) => id);
  await share({ name: 'A day at the sea', images: ids, short_name: 'sea-2026', guessable: true, expires_in: '7d' });
  await share({ name: 'Southwest', album: albums.find(({ name }) => name === 'Southwest').id, password });
}
