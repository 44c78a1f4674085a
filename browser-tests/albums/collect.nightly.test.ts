/** Further cases of collect links. */
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { addFiles, collector, guestOf, pictures } from '../../server/testing/guests/collector.ts';
import { button, dialogOf, loaded, namesIn, own, payloads, upload, visitorOf } from '../testing/collecting.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, largePicture } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { kept } from '../testing/kept-files.ts';
import { hasFocus } from '../testing/keyboard.ts';
import { openPage, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

t.setTimeout(300_000);

const stage = await openStage(t);
const visit = visitorOf(stage);
const { app } = stage;
const worked = 'Images uploaded successfully 📸';

t.test('a form whose answer is lost is sent again and stored once', async (t) => {
  const { owner, page } = await visit(t);
  const session = await page.context().newCDPSession(page);
  session.once('Fetch.requestPaused', async ({ requestId }) => {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    await session.send('Fetch.disable');
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/c/*/upload', requestStage: 'Response' }] });
  await choose(page, await payloads('one.png', 'two.png'));
  await upload(page);
  await sawToast(t, page, worked);
  t.equal((await owner.idsIn()).length, 2);
});

t.test('a large picture resumes after a reload', async (t) => {
  const { owner, page } = await visit(t);
  const { reached, release } = await hold(page, '**/c/*/uploads/*', { method: 'PATCH' });
  await choose(page, [await largePicture('large.png')]);
  await upload(page);
  await reached;
  await page.unroute('**/c/*/uploads/*');
  release();
  await page.reload();
  await eventually(t, async () => (await owner.idsIn()).length, 1, 'it is stored');
  await eventually(t, () => namesIn(own(page)), ['large.png'], 'it is shown');
});

t.test('the result of the upload that fills a link stays until it is closed', async (t) => {
  const { page } = await visit(t, { max_files: 2 });
  await choose(page, await payloads('one.png', 'two.png'));
  await button(page, 'Upload').focus();
  await page.keyboard.press('Enter');
  const notice = page.getByText('This link is full and accepts no more images.');
  await notice.waitFor();
  const result = page.getByRole('region', { name: 'Last upload' });
  t.match(await result.textContent(), /2 stored/);
  await page.getByText('Your images have arrived.').waitFor();
  t.equal(await page.getByRole('button', { name: /Tap to choose/ }).count(), 0, 'nothing more can be chosen');
  const isFocused = () => notice.and(page.locator(':focus')).count();
  await eventually(t, isFocused, 1, 'the focus is not lost');
  await button(result, 'Dismiss').click();
  await result.waitFor({ state: 'detached' });
  await eventually(t, isFocused, 1, 'nor with the result');
  t.equal(await button(page, 'Upload').count(), 0);
  await page.reload();
  await notice.waitFor();
  t.equal(await isFocused(), 0, 'a page that opens full leaves the focus alone');
});

t.test(
  'chosen images of a link that ended meanwhile are deleted from the browser, and those of others stay',
  async (t) => {
    const { owner, link, page } = await visit(t);
    await choose(page, await payloads('one.png', 'two.png'));
    await eventually(t, () => kept(page), 2, 'the browser keeps them');
    const other = await owner.link();
    await page.goto(other.path);
    await choose(page, await payloads('three.png'));
    await eventually(t, () => kept(page), 3, 'the browser keeps those of two links');
    await owner.call('DELETE', `/${link.id}`);
    await page.goto(link.path);
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
    await eventually(t, () => kept(page), 1, 'those of the other link are left');
  },
);

t.test('a logout deletes only the chosen images of the account', async (t) => {
  const { owner, page } = await visit(t, {}, { account: await signIn(app), size: 'desktop' });
  await choose(page, await payloads('one.png', 'two.png'));
  await eventually(t, () => kept(page), 2, 'the browser keeps them for the link');
  await page.goto('/dashboard/upload');
  await choose(page, await payloads('three.png'));
  await eventually(t, () => kept(page), 3, 'the browser keeps one for the account');
  await page.goto('/dashboard/video');
  await button(page, 'Logout').click();
  await page.waitForURL('**/login');
  await eventually(t, () => kept(page), 2, 'the link keeps its own');
  t.equal((await owner.idsIn()).length, 0);
});

t.test('a link that answers 429 is opened, and read again, after the wait that the server requests', async (t) => {
  const owner = await collector(app);
  const link = await owner.link();
  const page = await openPage(t, stage, { size: 'phone' });
  // The screen asks again when it appears, and the queue when the wait has passed.
  let refusals = 2;
  await page.route('**/c/*/link', (route) => {
    refusals -= 1;
    const body = JSON.stringify({ code: 'RATE_LIMITED', message: 'Too many requests.' });
    const refused = { status: 429, headers: { 'retry-after': '1' }, contentType: 'application/json', body };
    return refusals < 0 ? route.continue() : route.fulfill(refused);
  });
  await page.goto(link.path);
  await page.getByText("Couldn't open the link.").waitFor();
  await page.getByText('Room for 500 images').waitFor();
  await choose(page, await payloads('one.png'));
  refusals = 1;
  await upload(page);
  await page.getByText('Room for 499 images').waitFor();
});

t.test('an owner views a waiting image in large with the keyboard, and selects it there', async (t) => {
  const { account, link } = await collector(app);
  const { path } = await link({ look_first: true, asks_name: true });
  await addFiles(app, path, await guestOf(app, path, { name: 'Noor' }), await pictures(['a.png', 'b.png']));
  const page = await openPage(t, stage, { account });
  let isBroken = true;
  await page.route('**/images/*/original', (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto('/dashboard/links');
  const section = page.getByRole('region', { name: 'Waiting images' });
  await button(section, 'View a.png').focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page, 'a.png');
  await dialog.getByText('This image could not be loaded.').waitFor();
  isBroken = false;
  await button(dialog, 'Retry').click();
  await loaded(t, dialog.getByRole('img', { name: 'a.png, from Noor' }));
  await dialog.getByLabel('Select a.png').check();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(t, page, 'View a.png');
  t.ok(await section.getByLabel('Select a.png').isChecked());
  await button(section, 'Admit 1 image').waitFor();
});

t.test('a waiting image without its thumbnail shows so', async (t) => {
  const { account, link } = await collector(app);
  const { path } = await link({ look_first: true });
  await addFiles(app, path, await guestOf(app, path), await pictures(['a.png']));
  const page = await openPage(t, stage, { account });
  await page.route('**/waiting/*/thumbnail.webp', (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.goto('/dashboard/links');
  await page.getByText("Couldn't load the thumbnail.").waitFor();
});

t.test('a login in another tab leaves a guest the chosen images, also after a reload', async (t) => {
  const { owner, page } = await visit(t);
  await choose(page, await payloads('one.png', 'two.png'));
  await eventually(t, () => kept(page), 2, 'the browser keeps them');
  const account = await signIn(app);
  const other = await page.context().newPage();
  await other.goto('/login');
  await other.getByLabel('Email').fill(account.email);
  await other.getByLabel('Password', { exact: true }).fill(account.password);
  await other.keyboard.press('Enter');
  await other.waitForURL('**/dashboard/upload');
  await page.getByText('Room for 500 images').waitFor();
  await page.reload();
  await eventually(
    t,
    () => namesIn(page.getByRole('list', { name: 'Pending' })),
    ['one.png', 'two.png'],
    'still listed',
  );
  await upload(page);
  await sawToast(t, page, worked);
  t.equal((await owner.idsIn()).length, 2);
});
