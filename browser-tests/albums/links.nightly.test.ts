/** Second cases of the page "My links". */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { openGallery, pictureOf } from '../testing/gallery.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);
const { app } = stage;

const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });

t.test('the page My links lists public albums and expiring images, and reports what it could not load', async (t) => {
  const { account, page } = await openGallery(t, stage, ['a.png']);
  const call = (method: 'POST' | 'PATCH', url: string, payload?: object) =>
    app.inject({ method, url, headers: account.bearer, ...(payload ? { payload } : {}) });
  const { album } = (await call('POST', '/api/albums', { name: 'Trip' })).json();
  await call('POST', `/api/albums/${album.id}/link`);
  const { images } = (await app.inject({ url: '/api/images/', headers: account.bearer })).json();
  await call('PATCH', `/api/images/${images[0].id}`, { expires_in: '7d' });
  await page.route('**/api/stable-links', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto('/dashboard/links');
  const main = page.getByRole('main');
  await main.getByText('Trip').waitFor();
  await main.getByText(/^Expires in 7 days/).waitFor();
  await main.getByText("Couldn't load your stable links.").waitFor();
  await page.unroute('**/api/stable-links');
  await button(main, 'Retry').click();
  await main.getByText('No stable links yet.').waitFor();
  await page.getByRole('link', { name: 'Show in gallery' }).click();
  await pictureOf(page, 'a.png').waitFor();
});

t.test('on a phone, My links is under More', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', { size: 'phone' });
  await button(page, 'More').click();
  await page.getByRole('link', { name: 'My links' }).click();
  await page.getByRole('heading', { level: 1, name: 'My links' }).waitFor();
});
