import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn, type TestAccount } from '../server/testing/account.ts';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { png } from './testing/files.ts';
import { logIn } from './testing/log-in.ts';
import { openPage, openSignedIn, openStage } from './testing/stage.ts';
import { behindWorker, share } from './testing/worker.ts';

const stage = await openStage(t);
const allowed = { serviceWorkers: 'allow' } as const;
const note = (page: Page) =>
  page.getByText('The shared images did not arrive here. Share them once more, or choose them below.', { exact: true });

async function shared(...names: string[]) {
  const files = [];
  for (const name of names) files.push(await png(name));
  return files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, base64: buffer.toString('base64') }));
}

const isPending = async (t: Test, page: Page, ...names: string[]) => {
  for (const name of names) await page.getByRole('button', { name: `Remove ${name}`, exact: true }).waitFor();
  t.equal(await page.getByRole('button', { name: /^Remove / }).count(), names.length);
};

/** How many shares wait for somebody to take them. */
const waiting = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('shares');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const counting = opening.result.transaction('shares').objectStore('shares').count();
      counting.onsuccess = () => { opening.result.close(); resolve(counting.result); };
    };
  })`);

async function enter(page: Page, account: TestAccount): Promise<void> {
  await logIn(page, account);
  await page.waitForURL('**/dashboard/upload*');
}

t.test('what another app shares lands in the pending list, and nowhere else', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/images', { ...allowed, size: 'phone' });
  await behindWorker(page);
  await share(page, await shared('one.png', 'two.png'));
  await page.waitForURL('**/dashboard/upload');
  await isPending(t, page, 'one.png', 'two.png');
  t.equal(await waiting(page), 0, 'it is taken once');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByText('Images uploaded successfully 📸').waitFor();
});

t.test('a share waits for the login', async (t) => {
  const page = await openPage(t, stage, allowed);
  await page.goto('/login');
  await behindWorker(page);
  await share(page, await shared('one.png'));
  await page.waitForURL('**/login');
  t.equal(await waiting(page), 1);
  await enter(page, await signIn(stage.app));
  await isPending(t, page, 'one.png');
  t.equal(await waiting(page), 0);
});

t.test('a share that is older than an hour is nobody’s', async (t) => {
  const page = await openPage(t, stage, allowed);
  await page.goto('/login');
  await behindWorker(page);
  await share(page, await shared('old.png'));
  await page.waitForURL('**/login');
  await page.clock.setFixedTime(Date.now() + 3_700_000);
  await enter(page, await signIn(stage.app));
  await page.getByRole('heading', { name: 'Upload Images' }).waitFor();
  await eventually(t, () => waiting(page), 0, 'it is thrown away');
  await isPending(t, page);
});

t.test('a share without a picture in it says so', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', allowed);
  await behindWorker(page);
  await share(page, []);
  await note(page).waitFor();
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`where no worker stands before the server, the page says what to do (${size})`, async (t) => {
    const account = await signIn(stage.app);
    const page = await openPage(t, stage, { size });
    await page.goto('/login');
    await share(page, await shared('one.png'));
    await page.getByRole('heading', { name: 'Login' }).waitFor();
    await enter(page, account);
    await note(page).waitFor();
    await findsNothing(t, page, 'a share that was missed');
  });
}
