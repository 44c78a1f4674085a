/** An upload of large files that survives the loss of network, page and server. */
import { createHash } from 'node:crypto';
import t from 'tap';
import type { ImagePage } from '../../server/contract.ts';
import { testConfig } from '../../server/testing/app.ts';
import { freePort } from '../../server/testing/free-port.ts';
import { startServer } from '../../server/testing/processes.ts';
import { launchChromium } from '../testing/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { largePicture, onDisk } from '../testing/files.ts';
import { goingOn, network, registerAndLogIn } from '../testing/interrupting.ts';

t.setTimeout(600_000);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

t.test('twenty large files are stored once, after losses of network, page and server', async (t) => {
  const { databaseUrl = '', dataDir } = await testConfig(t);
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(await freePort()) };
  const first = await startServer(t, environment);
  const browser = await launchChromium(t);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  // Leaving the page asks first; accept.
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  const token = await registerAndLogIn(page, first.origin);
  const list = async (): Promise<ImagePage> => {
    const answer = await fetch(`${first.origin}/api/images/`, { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as ImagePage;
  };
  const atLeast = (count: number) =>
    eventually(t, async () => (await list()).total >= count, true, `at least ${count} are stored`);

  const files = await Promise.all(Array.from({ length: 20 }, (_, number) => largePicture(`picture-${number}.png`)));
  const wanted = files.map(({ buffer }) => sha256(buffer)).sort();
  const [, paths] = await onDisk(t, files);
  await page.locator('input[type=file]').setInputFiles(paths);
  await page.getByText('20 images ready to upload').waitFor();
  const letThrough = await network(page);
  await letThrough(15e6);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await atLeast(3);

  await letThrough(0);
  await goingOn(page);
  const before = (await list()).total;
  await letThrough(15e6);
  await atLeast(before + 1);

  await page.reload();
  t.same(asked, ['beforeunload']);
  await page.getByRole('button', { name: 'Uploading...' }).waitFor();
  const reloaded = (await list()).total;
  t.ok(reloaded < 18, `${reloaded} were stored when the page was reloaded`);
  await atLeast(reloaded + 1);

  first.child.kill('SIGKILL');
  await first.ended;
  await goingOn(page);
  await startServer(t, environment);
  await page.getByText('Images uploaded successfully').waitFor();

  const { total, images } = await list();
  t.equal(total, 20);
  const found = await Promise.all(
    images.map(async ({ url }) => sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()))),
  );
  t.same(found.sort(), wanted);
  t.ok(images.every(({ filename }) => /^picture-\d+\.png$/.test(filename)));
});
