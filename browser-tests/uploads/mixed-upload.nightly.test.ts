/** An upload of small and large files that survives every kind of interruption. */
import { createHash, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import t from 'tap';
import type { ImagePage } from '../../server/contract.ts';
import { testConfig } from '../../server/testing/app.ts';
import { startServer } from '../../server/testing/processes.ts';
import { launchChromium } from '../testing/chromium.ts';
import { largePicture, onDisk, type Payload } from '../testing/files.ts';
import { goingOn, registerAndLogIn, toldOfLoss } from '../testing/interrupting.ts';
import { openLine } from '../testing/line.ts';
import { notedToasts, noteToasts, sawToast } from '../testing/toasts.ts';

t.setTimeout(600_000);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const portOf = (origin: string) => new URL(origin).port;
const worked = 'Images uploaded successfully 📸';

/** Four hundred kilobytes of random pixels. */
async function smallPicture(name: string): Promise<Payload> {
  const raw = { width: 400, height: 340, channels: 3 as const };
  const buffer = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** Bytes before each interruption: small enough that neither the 24 MB of forms nor the 55 MB of resumable uploads is finished. */
const some = { forms: 4e6, pieces: 10e6 };

t.test('small and large files are stored once, after losses of network, page and server', async (t) => {
  const { databaseUrl = '', dataDir } = await testConfig(t);
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const first = await startServer(t, environment);
  const line = await openLine(t, portOf(first.origin));
  const browser = await launchChromium(t);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  context.setDefaultTimeout(300_000);
  await context.addInitScript(noteToasts);
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  const token = await registerAndLogIn(page, line.origin);

  const small = Array.from({ length: 60 }, (_, number) => smallPicture(`small-${number}.png`));
  const large = Array.from({ length: 6 }, (_, number) => largePicture(`large-${number}.png`));
  const files = await Promise.all([...small, ...large]);
  const [, paths] = await onDisk(t, files);
  await page.locator('input[type=file]').setInputFiles(paths);
  await page.getByText('66 images ready to upload').waitFor();

  const begun = line.carry(some);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await begun;
  await context.setOffline(true);
  line.pull();
  await goingOn(page);

  const wentOn = line.carry(some);
  line.join(portOf(first.origin));
  await context.setOffline(false);
  await wentOn;
  t.same(await notedToasts(page), [['Login successful 🎉'], toldOfLoss], 'the loss is reported once');

  const loadedAgain = line.carry(some);
  await page.reload();
  await loadedAgain;

  first.child.kill('SIGKILL');
  await first.ended;
  line.pull();
  await goingOn(page);
  const second = await startServer(t, environment);
  void line.carry();
  line.join(portOf(second.origin));
  await sawToast(t, page, worked);
  t.same(await notedToasts(page), [toldOfLoss, [worked]], 'no other toasts appeared');

  const listed = async (number: number): Promise<ImagePage> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await (await fetch(`${line.origin}/api/images/?page=${number}`, { headers })).json()) as ImagePage;
  };
  const pages = await Promise.all([1, 2, 3, 4].map(listed));
  const images = pages.flatMap((one) => one.images);
  t.equal(pages[0]?.total, files.length);
  const found = images.map(async ({ url }) => sha256(new Uint8Array(await (await fetch(url)).arrayBuffer())));
  t.same((await Promise.all(found)).sort(), files.map(({ buffer }) => sha256(buffer)).sort());
});
