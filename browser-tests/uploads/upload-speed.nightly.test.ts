/** The speed shown for each file being sent. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { choose, type Payload } from '../testing/files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);

/** A PNG of noise, which does not compress: about 700 kB. */
async function noisy(name: string): Promise<Payload> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const image = sharp({ create: { width: 480, height: 480, channels: 3, background: '#000', noise } });
  return { name, mimeType: 'image/png', buffer: await image.png().toBuffer() };
}

/** Limits the upload bandwidth, in bytes per second. */
async function slowDown(page: Page, bytes: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes };
  await session.send('Network.emulateNetworkConditions', conditions);
}

const looks = [
  ['desktop', 'en', /^\d+ kB\/s$/],
  ['phone', 'en', /^\d+ kB\/s$/],
  ['phone', 'ar', /^\u200f?[\d٠-٩]+\s*كيلوبايت\/ث$/],
] as const;

for (const [size, language, wanted] of looks) {
  t.test(`the file being sent shows its speed (${size}, ${language})`, async (t) => {
    const { page } = await openSignedIn(t, stage, '/dashboard/upload', {
      size,
      prepare: (context) =>
        context.addInitScript(`if (location.protocol === 'http:') localStorage.setItem('language', '${language}')`),
    });
    await slowDown(page, 60_000);
    await choose(page, [await noisy('first.png'), await noisy('second.png')]);
    await page.evaluate(`{
      window.__said = [];
      new MutationObserver(() => {
        for (const region of document.querySelectorAll('[role="status"], [role="alert"]')) window.__said.push(region.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    }`);
    const tiles = page.getByRole('main').getByRole('listitem');
    await page.getByRole('button', { name: language === 'en' ? 'Upload' : 'رفع', exact: true }).click();
    const speed = tiles.filter({ hasText: 'first.png' }).getByText(wanted);
    await speed.waitFor();
    t.equal(
      await tiles.filter({ hasText: 'second.png' }).getByText(wanted).count(),
      0,
      'the waiting file has no speed',
    );
    await findsNothing(t, page, 'a file on its way');
    const said = await page.evaluate<string[]>('window.__said');
    t.notOk(
      said.some((text) => /\/(?:s|ث)/.test(text)),
      'the speed is not announced',
    );
  });
}
