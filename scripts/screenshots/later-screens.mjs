/** Further screens and states: albums, settings, menus, messages. The format is that of screens.mjs. */
import { says } from './says.mjs';
import { showDetails } from './show-details.mjs';

const heading = (page) => page.getByRole('heading', { level: 1 }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });

async function open(page, path) {
  await page.goto(path);
  await heading(page);
}

const picturesThere = (page) =>
  page.waitForFunction(() => {
    const seen = [...document.querySelectorAll('main li img')].filter(
      (img) => img.getBoundingClientRect().top < innerHeight,
    );
    return seen.length > 0 && seen.every((img) => img.complete && img.naturalWidth > 0);
  });

async function openAlbums(page) {
  await open(page, '/dashboard/albums');
  await page.getByRole('link', { name: 'Southwest' }).waitFor();
  await picturesThere(page);
}

async function openAlbum(page) {
  await openAlbums(page);
  await page.getByRole('link', { name: 'Southwest' }).click();
  await page.getByRole('heading', { level: 1, name: 'Southwest' }).waitFor();
  await picturesThere(page);
}

async function select(page, say) {
  await open(page, '/dashboard/images');
  await picturesThere(page);
  await button(page, say('Select')).click();
  for (const index of [0, 3, 4]) await page.getByRole('checkbox').nth(index).check();
  const bar = page.getByRole('toolbar', { name: say('Selection') });
  await bar.waitFor();
  return bar;
}

async function openSettings(page, say) {
  await open(page, '/dashboard/settings');
  await page.getByText(say('This device')).waitFor();
}

async function openLinks(page) {
  await open(page, '/dashboard/links');
  await page.getByText('/l/logo').waitFor();
  await picturesThere(page);
}

/** The details of the picture that a stable link leads to. */
async function openDetails(page, say) {
  await open(page, '/dashboard/images');
  await picturesThere(page);
  await page.locator('main li[data-image]').nth(2).getByRole('button').first().click();
  const dialog = page.getByRole('dialog');
  await showDetails(dialog, say);
  await button(dialog, say('Replace link')).waitFor();
  return dialog;
}

/** The gallery with pictures that expire, once the marks are there. */
async function openExpiring(page) {
  await open(page, '/dashboard/images');
  await picturesThere(page);
  await page.locator('[id^=mark-]').first().waitFor({ state: 'attached' });
}

/** The details of a picture that expires. */
async function openEnd(page, name, say) {
  await openExpiring(page);
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const change = button(dialog, say('Change when it expires'));
  const details = button(dialog, say('Details')).last();
  if (!(await change.isVisible()) && (await details.isVisible())) await details.click();
  await dialog.locator('[data-current] [data-state="there"]').waitFor();
  return { dialog, change };
}

/** Ten minutes later, the clock of the page says that some pictures have expired. */
const later10Minutes = (page) => page.clock.install({ time: Date.now() + 600_000 });

/** Uploads a picture with a delete link, and opens the link. */
async function openDeleteLink(page, [, picture]) {
  await open(page, '/dashboard/images');
  const token = await page.evaluate(() => localStorage.getItem('access_token'));
  const answer = await page.request.post('/api/images/upload?delete_link=1', {
    headers: { authorization: `Bearer ${token}` },
    multipart: { images: { name: picture.name, mimeType: picture.type, buffer: picture.bytes } },
  });
  await page.goto((await answer.json()).images[0].delete_url);
  await page.getByRole('img').waitFor();
}

export const later = [
  { name: 'gallery-expiry', as: 'lender', show: openExpiring },
  {
    name: 'album-expiry',
    as: 'lender',
    show: async (page) => {
      await open(page, '/dashboard/albums');
      await page.getByRole('link', { name: 'Trip' }).click();
      await picturesThere(page);
      await page.locator('[id^=mark-]').first().waitFor({ state: 'attached' });
    },
  },
  {
    name: 'gallery-expired',
    as: 'lender',
    show: async (page) => {
      await later10Minutes(page);
      await openExpiring(page);
    },
  },
  {
    name: 'preview-expiry',
    as: 'lender',
    show: async (page, _pictures, say) => {
      await openEnd(page, 'canyon-arch.jpg', say);
    },
  },
  {
    name: 'preview-expiry-form',
    as: 'lender',
    show: async (page, _pictures, say) => {
      const { change, dialog } = await openEnd(page, 'lavender-hills.webp', say);
      await change.click();
      await dialog.getByRole('combobox').selectOption('7d');
    },
  },
  {
    name: 'preview-expiry-date',
    as: 'lender',
    show: async (page, _pictures, say) => {
      const { change, dialog } = await openEnd(page, 'canyon-arch.jpg', say);
      await change.click();
      await dialog.locator('input[type=datetime-local]').fill('2020-01-01T12:00');
      await button(dialog, say('Save')).click();
    },
  },
  {
    name: 'preview-expiry-changed',
    as: 'lender',
    show: async (page, _pictures, say) => {
      const { change, dialog } = await openEnd(page, 'moss.webp', say);
      await change.click();
      await dialog.getByRole('combobox').selectOption('30d');
      await button(dialog, say('Save')).click();
      await button(dialog, say('Undo')).waitFor();
    },
  },
  {
    name: 'preview-expired',
    as: 'lender',
    show: async (page, _pictures, say) => {
      await later10Minutes(page);
      await openExpiring(page);
      await page.getByRole('main').getByRole('button', { name: 'stars-over-pines.jpg', exact: true }).click();
      await page.getByText(say('This image has expired.')).waitFor();
    },
  },
  { name: 'delete-link', as: 'lender', show: openDeleteLink },
  {
    name: 'delete-link-deleted',
    as: 'lender',
    show: async (page, pictures) => {
      await openDeleteLink(page, pictures);
      await page.getByRole('button').click();
      await page.waitForFunction(() => document.querySelector('button') === null);
    },
  },
  { name: 'forgot-no-mail', as: 'nobody', show: (page) => open(page, '/forgot') },
  {
    name: 'forgot',
    as: 'nobody',
    show: async (page) => {
      await says(page, { password_reset: true });
      await open(page, '/forgot');
    },
  },
  {
    name: 'forgot-sent',
    as: 'nobody',
    show: async (page, _pictures, say) => {
      await says(page, { password_reset: true });
      await page.route('**/api/auth/forgot*', (route) => route.fulfill({ status: 202, json: {} }));
      await open(page, '/forgot');
      await page.getByLabel(say('Email'), { exact: true }).fill('amira@example.com');
      await button(page, say('Send link')).click();
      await page.locator('[role=status]:not(:empty), [data-kind]').first().waitFor();
    },
  },
  { name: 'reset-incomplete', as: 'nobody', show: (page) => open(page, '/reset') },
  {
    name: 'reset-ended',
    as: 'nobody',
    show: async (page, _pictures, say) => {
      await open(page, `/reset#token=${'x'.repeat(43)}`);
      await page.getByLabel(say('New password'), { exact: true }).fill('a new password');
      await button(page, say('Save password')).click();
      await page.getByText(say("Couldn't save the password.")).waitFor();
    },
  },
  { name: 'albums', as: 'owner', show: openAlbums },
  {
    name: 'albums-empty',
    as: 'blank',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/albums');
      await page.getByText(say('No albums yet.')).waitFor();
    },
  },
  {
    name: 'albums-new',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openAlbums(page);
      await button(page, say('New album')).click();
      await page.getByLabel(say('Album name')).waitFor();
    },
  },
  {
    name: 'albums-rename',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openAlbums(page);
      await button(page, say('Rename')).first().click();
      await page.getByLabel(say('Album name')).waitFor();
    },
  },
  {
    name: 'albums-delete',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openAlbums(page);
      await button(page, say('Delete')).first().click();
      await button(page, say('Yes, Delete')).waitFor();
    },
  },
  { name: 'album', as: 'owner', show: openAlbum },
  {
    name: 'album-end-link',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openAlbum(page);
      await button(page, say('Turn off link')).click();
      await button(page, say('Yes, turn it off')).waitFor();
    },
  },
  {
    name: 'album-public',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openAlbum(page);
      const link = page.getByRole('region', { name: say('Public link') }).getByRole('textbox');
      await open(page, new URL(await link.inputValue()).pathname);
      await page.waitForLoadState('networkidle');
    },
  },
  { name: 'album-dead', as: 'nobody', show: (page) => open(page, `/a/${'x'.repeat(22)}`) },
  {
    name: 'gallery-select-forms',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await button(await select(page, say), say('Copy links')).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'gallery-select-albums',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await button(await select(page, say), say('Add to album')).click();
      await page.getByText('Southwest').waitFor();
    },
  },
  {
    name: 'gallery-select-delete',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await button(await select(page, say), say('Delete')).click();
      await button(page, say('Yes, Delete')).waitFor();
    },
  },
  {
    name: 'gallery-tips',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/images');
      await page.locator('summary').click();
      await page.getByRole('searchbox').fill('size:>abc');
      await page.getByText(say('No images found.')).waitFor();
      await page.getByRole('status').getByText('size:>abc').waitFor();
    },
  },
  {
    name: 'preview-rename',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/images');
      await picturesThere(page);
      await page.getByRole('main').getByRole('button', { name: 'canyon-arch.jpg', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'canyon-arch.jpg' });
      const rename = dialog.locator('button:has(.lucide-pencil)');
      await dialog.waitFor();
      if (!(await rename.isVisible())) await button(dialog, say('Details')).last().click();
      await rename.click();
      await dialog.getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'upload-paused',
    as: 'owner',
    show: async (page, pictures, say) => {
      await page.route('**/api/images/upload', () => {}, { times: 1 });
      await open(page, '/dashboard/upload');
      const files = pictures.slice(0, 6).map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));
      await page.locator('input[type=file]').setInputFiles(files);
      await page.getByRole('list', { name: say('Pending') }).waitFor();
      await button(page, say('Upload')).click();
      await button(page, say('Pause')).click();
      await button(page, say('Resume')).waitFor();
      await page.waitForFunction(() => document.querySelectorAll('main li img').length === 6);
    },
  },
  {
    name: 'upload-thousand',
    as: 'blank',
    show: async (page, pictures, say) => {
      await open(page, '/dashboard/upload');
      const files = pictures.slice(0, 3).map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));
      await page.locator('input[type=file]').setInputFiles(files);
      await page.evaluate(() => {
        const data = new DataTransfer();
        for (let n = 1; n < 998; n += 1) data.items.add(new File([String(n)], `file-${n}.txt`));
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      });
      await page
        .getByRole('list', { name: say('Pending') })
        .getByText('file-1.txt')
        .waitFor();
      await page
        .getByText(/1,000|١٬٠٠٠/)
        .first()
        .waitFor();
      await page.waitForFunction(() => document.querySelectorAll('main li img').length === 3);
    },
  },
  {
    name: 'offline',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/upload');
      // The network status is added once the page is idle.
      await page.locator('body > div:first-child > [role=status]').waitFor({ state: 'attached' });
      await page.context().setOffline(true);
      await page.getByText(say('You are offline.')).waitFor();
    },
  },
  {
    name: 'offline-gallery',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/images');
      await picturesThere(page);
      await page.locator('body > div:first-child > [role=status]').waitFor({ state: 'attached' });
      await page.context().setOffline(true);
      await page.getByText(say('You are offline.')).waitFor();
    },
  },
  {
    name: 'gallery-undo',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/images?search=nothing');
      await button(page, say('Show all images')).click();
      await button(page, say('Undo')).waitFor();
      await picturesThere(page);
    },
  },
  {
    name: 'album-undo',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openAlbum(page);
      await page.route('**/api/albums/*/images', (route) => route.fulfill({ status: 200, json: {} }), { times: 1 });
      await button(page, say('Remove')).last().click();
      await button(page, say('Undo')).waitFor();
    },
  },
  {
    name: 'settings-unread',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await page.route('**/api/images/usage', (route) => route.fulfill({ status: 500, json: {} }));
      await page.route('**/api/account/sessions', () => {});
      await open(page, '/dashboard/settings');
      await page.getByText(say('Failed to load storage')).waitFor();
    },
  },
  {
    name: 'links',
    as: 'lender',
    show: openLinks,
  },
  {
    name: 'links-empty',
    as: 'newcomer',
    show: (page) => open(page, '/dashboard/links'),
  },
  {
    name: 'links-qr',
    as: 'lender',
    show: async (page, _pictures, say) => {
      await openLinks(page);
      await page
        .getByRole('listitem')
        .filter({ hasText: '/l/logo' })
        .getByText(say('QR code'), { exact: true })
        .click();
      await page.getByRole('dialog').getByRole('img').waitFor();
    },
  },
  {
    name: 'links-image',
    as: 'lender',
    show: async (page, _pictures, say) => {
      await openLinks(page);
      const row = page.getByRole('listitem').filter({ hasText: '/l/logo' });
      await row.getByText(say('Change image'), { exact: true }).click();
      await page.getByRole('dialog').locator('img').nth(5).waitFor();
    },
  },
  {
    name: 'preview-links',
    as: 'lender',
    show: async (page, _pictures, say) => {
      const dialog = await openDetails(page, say);
      await dialog.getByText('/l/logo').scrollIntoViewIfNeeded();
      await button(dialog, say('Replace link')).click();
    },
  },
  {
    name: 'settings-end',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openSettings(page, say);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    },
  },
  {
    name: 'settings-refused',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await openSettings(page, say);
      const box = page.getByRole('region', { name: say('Password'), exact: true });
      await box.getByLabel(say('Current password'), { exact: true }).fill('not my password');
      await box.getByLabel(say('New password'), { exact: true }).fill('a new password');
      await button(box, say('Change password')).click();
      await box.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'menu',
    as: 'owner',
    show: async (page, _pictures, say) => {
      await open(page, '/dashboard/upload');
      const more = button(page, say('More'));
      if (await more.isVisible()) await more.click();
    },
  },
];
