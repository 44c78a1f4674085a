/** Images that expire, and delete links. testing/screens/expiry.ts visits their screens in every look. */
import { sql } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { Image } from '../../server/contract.ts';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { storeFiles } from '../../server/testing/form.ts';
import { eventually } from '../testing/eventually.ts';
import { png } from '../testing/files.ts';
import { cardOf, galleryPath, openGallery, pictureOf, shows } from '../testing/gallery.ts';
import { hold } from '../testing/hold.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { hasFocus, press, tabTo } from '../testing/keyboard.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const { app, origin } = stage;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function endOf({ bearer }: TestAccount, { id }: Pick<Image, 'id'>): Promise<string | null> {
  return (await app.inject({ url: `/api/images/${id}`, headers: bearer })).json<{ image: Image }>().image.expires_at;
}

/** Asserts when the image expires. @param left ms from now */
async function endsIn(t: Test, account: TestAccount, image: Pick<Image, 'id'>, left: number): Promise<void> {
  const end = Date.parse(String(await endOf(account, image)));
  t.ok(Math.abs(end - Date.now() - left) < 90_000, `the image expires in ${(end - Date.now()) / HOUR} hours`);
}

const expireNow = ({ id }: Pick<Image, 'id'>) =>
  app.db.execute(sql`update images set expires_at = now() where id = ${id}`);

/** The value of a date field in the browser's time zone. */
const inBerlin = (moment: number): string =>
  new Date(moment).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).replace(' ', 'T').slice(0, 16);

const overlay = (page: Page): Locator => page.getByRole('dialog');
const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });
const opener = (page: Page): Locator => button(overlay(page), 'Change when it expires');
const choices = (page: Page): Locator => overlay(page).getByLabel('Expires', { exact: true });
const dateField = (page: Page): Locator => overlay(page).getByLabel('Date and time', { exact: true });
const close = (page: Page): Promise<void> => button(overlay(page), 'Close').click();

async function choose(page: Page, choice: string): Promise<void> {
  await opener(page).click();
  await choices(page).selectOption(choice);
  await button(overlay(page), 'Save').click();
}

t.test('an end is set, undone, changed and removed, and the card shows it', async (t) => {
  const { page, account, images } = await openGallery(t, stage, ['a.png', 'b.png']);
  const [image] = images as [Image];
  await pictureOf(page, 'a.png').click();
  await opener(page).click();
  t.equal(await choices(page).inputValue(), 'never');
  await choices(page).selectOption('7d');
  await overlay(page)
    .getByText(/^On .+, the image is deleted and its link stops working\.$/)
    .waitFor();
  const patch = await hold(page, `**/api/images/${image.id}`, { method: 'PATCH' });
  await button(overlay(page), 'Save').click();
  await patch.reached;
  t.equal(await button(overlay(page), 'Save').getAttribute('aria-disabled'), 'true', 'busy');
  patch.release();
  await overlay(page).getByText('Expires in 7 days').waitFor();
  await endsIn(t, account, image, 7 * DAY);
  await button(overlay(page), 'Undo').click();
  await sawToast(t, page, 'The image no longer expires');
  t.equal(await endOf(account, image), null);

  await opener(page).click();
  await choices(page).selectOption('date');
  await dateField(page).fill(inBerlin(Date.now() - HOUR));
  await button(overlay(page), 'Save').click();
  await overlay(page).getByText('Choose a time from 5 minutes to 5 years from now.').waitFor();
  await hasFocus(t, page, 'Date and time');
  await dateField(page).fill(inBerlin(Date.now() + 2 * HOUR));
  await button(overlay(page), 'Save').click();
  await overlay(page).getByRole('definition').getByText('in 2 hours').waitFor();
  await endsIn(t, account, image, 2 * HOUR);
  await close(page);
  await pictureOf(page, 'a.png')
    .and(page.getByRole('button', { description: /^Expires in 2 hours · / }))
    .waitFor();
  t.equal(await cardOf(page, 'b.png').getByText('in 2 hours').count(), 0);

  await pictureOf(page, 'a.png').click();
  await choose(page, 'never');
  await overlay(page).getByRole('definition').getByText('Never').waitFor();
  t.equal(await endOf(account, image), null);
  await close(page);
  await eventually(t, () => cardOf(page, 'a.png').getByText('in 2 hours').count(), 0, 'the card shows no end');
});

t.test('a second change of an end replaces the Undo of the first one', async (t) => {
  const { page, account, images } = await openGallery(t, stage, ['a.png']);
  const [image] = images as [Image];
  await pictureOf(page, 'a.png').click();
  await choose(page, '7d');
  await overlay(page).getByText('Expires in 7 days').waitFor();
  await choose(page, '30d');
  await overlay(page).getByText('Expires in 30 days').waitFor();
  // Unreplaced, it would stay for ten seconds.
  await overlay(page).getByText('Expires in 7 days').waitFor({ state: 'detached', timeout: 4_000 });
  await button(overlay(page), 'Undo').click();
  await eventually(t, () => button(overlay(page), 'Undo').count(), 0, 'no other Undo is left');
  await endsIn(t, account, image, 7 * DAY);
});

t.test('an end is changed by keyboard, and what the server refuses is shown', async (t) => {
  const { page, account, images } = await openGallery(t, stage, ['a.png', 'b.png']);
  await pictureOf(page, 'a.png').press('Enter');
  await press(t, page, 'Change when it expires');
  await hasFocus(t, page, 'Expires');
  await page.keyboard.type('In 30');
  await page.keyboard.press('Escape');
  await hasFocus(t, page, 'Change when it expires');
  t.equal(await endOf(account, images[0] as Image), null, 'a choice alone changes nothing');
  await page.keyboard.press('Enter');
  await page.keyboard.type('In 30');
  await press(t, page, 'Save');
  await hasFocus(t, page, 'Change when it expires');
  await endsIn(t, account, images[0] as Image, 30 * DAY);

  await page.route('**/api/images/*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await choose(page, '1d');
  await overlay(page).getByRole('alert').getByText("Couldn't change when the image expires.").waitFor();
  t.equal(await choices(page).inputValue(), '1d');
  const headers = account.bearer;
  await app.inject({ method: 'DELETE', url: `/api/images/delete/${images[0]?.id}`, headers });
  await button(overlay(page), 'Save').click();
  await overlay(page).getByRole('alert').getByText('There is no such image.').waitFor();
  await button(overlay(page), 'Cancel').click();
  await close(page);
  await shows(t, page, 'b.png');
});

t.test('an image that expires while it is shown is replaced by a notice, then leaves the list', async (t) => {
  const account = await signIn(app);
  const { name, buffer } = await png('kept.png');
  await storeFiles(app, account, [{ name, bytes: buffer }]);
  const [image] = await storeFiles(app, account, [{ name: 'brief.png', bytes: buffer }], { query: '?expires_in=5m' });
  const page = await openPage(t, stage, { account });
  await page.clock.install();
  await page.goto(galleryPath);
  await cardOf(page, 'brief.png').getByText('in 5 minutes').first().waitFor();
  await pictureOf(page, 'brief.png').click();
  await overlay(page).getByRole('definition').getByText('in 5 minutes').waitFor();
  await page.clock.fastForward(5 * 60_000);
  await overlay(page).getByText('This image has expired.').waitFor();
  for (const name of ['Change when it expires', 'Rename or describe', 'Download', 'Copy'])
    t.equal(await button(overlay(page), name).count(), 0, `${name} is no longer offered`);
  const strip = overlay(page).getByRole('group', { name: 'Images on this page' });
  await strip.locator('.lucide-timer-off').waitFor();
  await close(page);
  await cardOf(page, 'brief.png').getByText('Expired').waitFor();
  t.equal(await button(cardOf(page, 'brief.png'), 'Copy').count(), 0);

  await expireNow(image as Image);
  const link = `${origin}${new URL((image as Image).url).pathname}`;
  // The server learns of a change in the database by a notification.
  await eventually(t, async () => (await fetch(link)).status, 410, 'the link has expired');
  t.match(await (await fetch(link)).json(), { code: 'IMAGE_EXPIRED' });
  await app.sweeps.run();
  await page.clock.fastForward(35_000);
  await shows(t, page, 'kept.png');
});

t.test('a delete link shows the picture, and only its button deletes', async (t) => {
  const account = await signIn(app);
  const { name, buffer } = await png('lent.png');
  const [image] = await storeFiles(app, account, [{ name, bytes: buffer }], { query: '?delete_link=1' });
  const link = new URL(String(image?.delete_url)).pathname;
  // A visitor without a login.
  const page = await openPage(t, stage);
  const visit = async () => (await page.goto(link))?.status();
  t.equal(await visit(), 200);
  await eventually(t, () => naturalWidth(page.getByRole('img', { name: 'lent.png' })), 64, 'the picture is shown');
  t.equal(await visit(), 200, 'a visit changes nothing');
  const buttons = page.getByRole('button');
  t.equal(await buttons.count(), 1);
  await tabTo(t, page, 'Delete image');
  const answers = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.keyboard.press('Enter');
  t.equal((await answers).status(), 200);
  await buttons.waitFor({ state: 'detached' });
  t.equal((await app.inject({ url: `/api/images/${image?.id}`, headers: account.bearer })).statusCode, 404);
  t.equal(await visit(), 404);
});
