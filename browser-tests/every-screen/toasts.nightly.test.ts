import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { findsNothing } from '../testing/checks/axe.ts';
import { eventually } from '../testing/eventually.ts';
import { openGallery } from '../testing/gallery.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';
import { toast, toasts } from '../testing/toasts.ts';

const stage = await openStage(t);
const none = 'Please select at least one image.';

const standing = (page: Page) => page.locator('[data-kind]:not([data-leaving])').count();

/** Milliseconds of the page's clock from a press until it is carried out: after the next paint. */
const untilPainted = 50;

async function press(page: Page, button: Locator): Promise<void> {
  await button.click();
  await page.clock.runFor(untilPainted);
}

/** Waits until the toast fades out, which takes 200 ms, and is removed. */
async function leaves(page: Page, gone: Locator): Promise<void> {
  await page.locator('[data-kind][data-leaving]').waitFor();
  await page.clock.resume();
  await gone.waitFor({ state: 'detached' });
}

t.test('a success toast is shown for 2 s', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage);
  await page.clock.install();
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  const success = toast(page, 'Login successful 🎉');
  await success.waitFor();
  await page.clock.runFor(1_950);
  t.equal(await standing(page), 1, 'shown after 1.95 s');
  await page.clock.runFor(100);
  await leaves(page, success);
});

t.test('an error toast is shown for 4 s', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { account });
  await page.clock.install();
  await page.goto('/dashboard/upload');
  const upload = page.getByRole('button', { name: 'Upload', exact: true });
  await upload.waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await press(page, upload);
  await toast(page, none).waitFor();
  await page.clock.runFor(3_950 - untilPainted);
  t.equal(await standing(page), 1, 'shown after 3.95 s');
  await page.clock.runFor(50 + untilPainted);
  await leaves(page, toast(page, none));
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`toasts are shown at the top right (${size})`, async (t) => {
    const { page } = await openSignedIn(t, stage, '/dashboard/upload', { size });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await toast(page, none).waitFor();
    const box = await toast(page, none).boundingBox();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    t.ok(box);
    if (!box) return;
    t.ok(box.y >= 0 && box.y < height / 8, `near the top: ${box.y}`);
    t.ok(width - box.x - box.width >= 0 && width - box.x - box.width < 40, 'at the right edge');
  });
}

t.test('at most 20 toasts are shown at once', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { account });
  await page.clock.install();
  await page.goto('/dashboard/upload');
  const upload = page.getByRole('button', { name: 'Upload', exact: true });
  await upload.waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  for (let count = 1; count <= 25; count++) {
    await press(page, upload);
    await page.locator('[data-busy]').waitFor({ state: 'detached' });
    await eventually(t, () => toasts(page).count(), Math.min(count, 20), `after ${count} presses`);
  }
});

t.test('an error toast is announced at once', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await toast(page, none).getByRole('alert').waitFor();
  t.equal(await toast(page, none).getByRole('alert').count(), 1);
});

t.test('a toast with Undo covers no button of the page’s head, and disappears when dismissed', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png']);
  await page.getByRole('searchbox').fill('nothing');
  await page.getByRole('button', { name: 'Show all images' }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  // Measured in one call, because late content moves the head.
  const isOnTop = `(() => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Select');
    const { x, y, width, height } = button?.getBoundingClientRect() ?? {};
    return [y + 2, y + height - 2].every((at) => button?.contains(document.elementFromPoint(x + width / 2, at)));
  })()`;
  await page.getByRole('button', { name: 'Select', exact: true }).waitFor();
  await eventually(t, () => page.evaluate<boolean>(isOnTop), true, 'the button can be clicked');
  await findsNothing(t, page, 'a toast with Undo');
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await undo.waitFor({ state: 'detached' });
  t.equal(await page.getByRole('searchbox').inputValue(), '', 'nothing was undone');
});
