/** The system's Chromium, one for each test file. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import type { Test } from 'tap';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

export async function launchChromium(t: Pick<Test, 'teardown'>): Promise<Browser> {
  const executablePath = places.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error(`No Chromium was found: install it as ${places[0]}.`);
  const browser = await chromium.launch({ executablePath, headless: true, args });
  t.teardown(() => browser.close());
  return browser;
}
