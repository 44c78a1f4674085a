import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { reportsOf } from '../testing/checks/violations.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, damaged, png } from '../testing/files.ts';
import { galleryPath, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);

async function visitScreens(page: Page): Promise<void> {
  for (const path of ['/login', '/register', '/nowhere', '/dashboard/upload', galleryPath, '/dashboard/video']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
}

/** Registers a new account by the forms, and logs in. */
async function registerAndLogIn(t: Test, page: Page): Promise<void> {
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  await page.goto('/register');
  await fill('Username', 'newcomer');
  await fill('Email', 'newcomer@example.com');
  await fill('Password', 'a long enough password');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await sawToast(t, page, 'Registration successful! You can now login.');
  await fill('Email', 'newcomer@example.com');
  await fill('Password', 'a long enough password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await sawToast(t, page, 'Login successful 🎉');
}

async function uploadWithPreviews(t: Test, page: Page): Promise<void> {
  await page.goto('/dashboard/upload');
  const vector = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  await choose(page, [
    await png('one.png'),
    { name: 'two.svg', mimeType: 'image/svg+xml', buffer: vector },
    await damaged('cut.jpg'),
  ]);
  await eventually(t, () => page.locator('main img[src^="blob:"]').count(), 2, 'two previews');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await sawToast(t, page, 'Upload failed. Please try again.');
}

async function useGallery(t: Test, page: Page): Promise<void> {
  await page.goto(galleryPath);
  await shows(t, page, 'two.svg', 'one.png', 'a.png');
  await pictureOf(page, 'a.png').click();
  await page.getByRole('dialog', { name: 'a.png' }).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, Delete', exact: true }).click();
  await sawToast(t, page, 'Image deleted.');
}

t.test('no screen violates the content security policy', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  const reports = await reportsOf(page.context());
  await page.route('https://media.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'player' }));
  await visitScreens(page);
  await page.getByLabel('Video URL', { exact: true }).fill('https://media.example/film.mp4');
  await page.frameLocator('iframe').getByText('player').waitFor();
  await uploadWithPreviews(t, page);
  await useGallery(t, page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await registerAndLogIn(t, page);
  t.same(reports, []);
});
