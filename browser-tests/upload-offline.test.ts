/** Small files, whose forms break off: they wait for the network and the server, go on by themselves, and are stored once. */
import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import type { ImagePage } from '../server/contract.ts';
import { testConfig } from '../server/testing/app.ts';
import { startServer } from '../server/testing/processes.ts';
import { launchChromium } from './testing/chromium.ts';
import { eventually } from './testing/eventually.ts';
import { choose, damaged, largePicture, onDisk, type Payload, pngs } from './testing/files.ts';
import { freePort, network, registerAndLogIn } from './testing/interrupting.ts';
import { openSignedIn, openStage } from './testing/stage.ts';
import { notedToasts, noteToasts, sawToast } from './testing/toasts.ts';

t.setTimeout(600_000);

const stage = await openStage(t);
const lost = 'The connection was lost. Going on by itself';
const worked = 'Images uploaded successfully 📸';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pending = (page: Page) => page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts();
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true });

/** Four hundred kilobytes that no other picture has. */
async function smallPicture(name: string): Promise<Payload> {
  const raw = { width: 400, height: 340, channels: 3 as const };
  const buffer = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** The next form reaches the server, and its answer nobody. */
async function loseAnswer(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.once('Fetch.requestPaused', async ({ requestId }) => {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    await session.send('Fetch.disable');
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/images/upload', requestStage: 'Response' }] });
}

t.test('a form that was stored, and whose answer was lost, is sent again and stored once', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, [...(await pngs('one.png', 'two.png')), await damaged('broken.jpg')]);
  await loseAnswer(page);
  await upload(page).click();
  await sawToast(t, page, 'Upload failed. Please try again.', '2 of 3 images uploaded, 1 not: it says why.');
  t.same(await pending(page), ['broken.jpg']);
  const receipt = page.getByRole('region', { name: 'Last upload' });
  t.match(await receipt.textContent(), /2 stored1 not uploaded/, 'nothing was there already');
  const list = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.equal(list.json<ImagePage>().total, 2);
});

t.test('small files wait while there is no network, can be paused meanwhile, and then go by themselves', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await choose(page, await pngs('one.png', 'two.png'));
  await page.context().setOffline(true);
  await upload(page).click();
  await page.getByText(lost).waitFor();
  t.same(await pending(page), ['one.png', 'two.png']);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/· Paused/).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText(lost).waitFor();
  t.same(await notedToasts(page), [], 'nothing has failed');
  await page.context().setOffline(false);
  await sawToast(t, page, worked);
  t.same((await notedToasts(page)).length, 1);
});

t.test(
  'small and large files arrive whole and once, though network, page and server are lost on the way',
  async (t) => {
    const { databaseUrl = '', dataDir } = await testConfig(t);
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: await freePort() };
    const first = await startServer(t, environment);
    const browser = await launchChromium(t);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    context.setDefaultTimeout(300_000);
    await context.addInitScript(noteToasts);
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    const token = await registerAndLogIn(page, first.origin);
    const headers = { authorization: `Bearer ${token}` };

    const small = Array.from({ length: 60 }, (_, number) => smallPicture(`small-${number}.png`));
    const large = Array.from({ length: 3 }, (_, number) => largePicture(`large-${number}.png`));
    const files = await Promise.all([...small, ...large]);
    const [, paths] = await onDisk(t, files);
    await page.locator('input[type=file]').setInputFiles(paths);
    await page.getByText('63 images ready to upload').waitFor();
    const letThrough = await network(page);
    await letThrough(4e6);
    let sent = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/images/upload') sent += 1;
    });
    const formLeaves = async (count: number) => {
      await eventually(t, () => sent >= count, true, `${count} forms have left`);
      await page
        .getByText(/^[1-9]\d?% of/)
        .first()
        .waitFor();
    };
    await upload(page).click();
    await formLeaves(1);

    await letThrough(0);
    await page.getByText(lost).waitFor();
    await letThrough(4e6);
    await formLeaves(2);

    await page.reload();
    await (await network(page))(4e6);
    await page.getByRole('button', { name: 'Uploading...' }).waitFor();
    await formLeaves(3);

    first.child.kill('SIGKILL');
    await first.ended;
    await page.getByText(lost).waitFor();
    await startServer(t, environment);
    await sawToast(t, page, worked);
    t.equal((await notedToasts(page)).length, 1, 'and nothing else was said');

    const pages = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const answer = await fetch(`${first.origin}/api/images/?page=${number}`, { headers });
        return (await answer.json()) as ImagePage;
      }),
    );
    const images = pages.flatMap((one) => one.images);
    t.equal(pages[0]?.total, 63);
    const found = images.map(async ({ url }) => sha256(new Uint8Array(await (await fetch(url)).arrayBuffer())));
    t.same((await Promise.all(found)).sort(), files.map(({ buffer }) => sha256(buffer)).sort());
  },
);
