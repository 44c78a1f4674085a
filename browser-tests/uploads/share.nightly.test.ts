import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { endSessions } from '../../server/auth/queries.ts';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { logIn } from '../testing/log-in.ts';
import { isPending, ownerIsKnown, shared, waiting } from '../testing/sharing.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { behindWorker, share } from '../testing/worker.ts';

const stage = await openStage(t);
const allowed = { serviceWorkers: 'allow' } as const;
const note = (page: Page) =>
  page.getByText("The shared images didn't arrive. Share them again, or choose them below.", { exact: true });

async function enter(page: Page, account: TestAccount): Promise<void> {
  await logIn(page, account);
  await page.waitForURL('**/dashboard/upload*');
}

/** Expires the session of a page with a service worker, then shares a file, which waits for the login. */
async function shareExpired(t: Test) {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/images', allowed);
  await behindWorker(page);
  await ownerIsKnown(t, page);
  await endSessions(stage.app.db, account.id);
  await page.reload();
  await page.waitForURL('**/login');
  await share(page, await shared('mine.png'));
  await page.waitForURL('**/login?share=*');
  t.equal(await waiting(page), 1);
  return { page, account };
}

t.test('a share waits for the login of the account whose session expired', async (t) => {
  const { page, account } = await shareExpired(t);
  await enter(page, account);
  await isPending(t, page, 'mine.png');
  t.equal(await waiting(page), 0);
});

t.test('a waiting share is not given to another account that logs in', async (t) => {
  const { page } = await shareExpired(t);
  await enter(page, await signIn(stage.app));
  await note(page).waitFor();
  await isPending(t, page);
  t.equal(await waiting(page), 0, 'the share is deleted');
});

t.test('a share before any login, or after a logout, is not stored', async (t) => {
  const page = await openPage(t, stage, allowed);
  await page.goto('/login');
  await behindWorker(page);
  await share(page, await shared('nobody.png'));
  await page.waitForURL('**/login?share=missed');
  t.equal(await waiting(page), 0);
  await enter(page, await signIn(stage.app));
  await note(page).waitFor();
  await ownerIsKnown(t, page);
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await page.waitForURL('**/login');
  await ownerIsKnown(t, page, false);
  await share(page, await shared('after.png'));
  await page.waitForURL('**/login?share=missed');
  t.equal(await waiting(page), 0);
});

const elsewhere: Record<string, { headers?: Record<string, string>; head?: string }> = {
  'another site': {},
  'another site that hides its origin': { head: '<meta name="referrer" content="no-referrer">' },
  'a sandboxed page': {
    headers: { 'content-security-policy': 'sandbox allow-forms allow-scripts allow-top-navigation' },
  },
};
for (const [who, { headers = {}, head = '' }] of Object.entries(elsewhere)) {
  t.test(`a form posted by ${who} adds nothing to the list`, async (t) => {
    const { page } = await openSignedIn(t, stage, '/dashboard/images', {
      ...allowed,
      prepare: (context) =>
        context.route('http://evil.example/', (route) =>
          route.fulfill({ contentType: 'text/html', headers, body: `<!doctype html>${head}<h1>Win!</h1>` }),
        ),
    });
    await behindWorker(page);
    await ownerIsKnown(t, page);
    await page.goto('http://evil.example/');
    await share(page, await shared('evil.png'), `${stage.origin}/share`);
    await page.waitForURL('**/dashboard/upload?share=missed');
    await note(page).waitFor();
    await isPending(t, page);
    await page.goto('/dashboard/upload');
    await page.getByRole('heading', { name: 'Upload Images' }).waitFor();
    await isPending(t, page);
  });
}

t.test('a share older than an hour is discarded', async (t) => {
  const { page, account } = await shareExpired(t);
  await page.clock.setFixedTime(Date.now() + 3_700_000);
  await enter(page, account);
  await note(page).waitFor();
  await eventually(t, () => waiting(page), 0, 'the share is deleted');
  await isPending(t, page);
});

t.test('a share without pictures shows a note', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', allowed);
  await behindWorker(page);
  await share(page, []);
  await note(page).waitFor();
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`without a service worker, a share shows a note (${size})`, async (t) => {
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
