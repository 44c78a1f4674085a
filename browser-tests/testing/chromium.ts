/** The system's Chromium. */
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

/** Chromium without its own windows, which takes 40 % less processor time. (Debian: chromium-headless-shell) */
const shell = '/usr/bin/chromium-headless-shell';

/** Undefined if none is installed. */
export async function startChromium(some = places): Promise<Browser | undefined> {
  const executablePath = some.find((place) => existsSync(place));
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, headless: true, args });
}

/** Starts one browser per test file. */
export async function launchChromium(t: Pick<Test, 'teardown'>): Promise<Browser> {
  const browser = await startChromium([shell, ...places]);
  if (!browser) throw new Error(`No Chromium was found: install it as ${places[0]}.`);
  t.teardown(() => browser.close());
  return browser;
}
