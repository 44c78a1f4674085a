/** Interruptions of an upload: a killed server and a lost network. */
import type { Page } from 'playwright-core';
import { logIn } from './log-in.ts';

const person = { username: 'somebody', email: 'a@example.com', password: 'a long enough password' };

/** @returns the token */
export async function registerAndLogIn(page: Page, origin: string): Promise<string> {
  await fetch(`${origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  await page.goto(`${origin}/login`);
  await logIn(page, person);
  await page.waitForURL('**/dashboard/upload');
  return page.evaluate<string>('localStorage.getItem("access_token")');
}

/** Limits the upload bandwidth to bytes per second; 0 is offline. */
export async function network(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: uploadThroughput === 0,
      latency: 5,
      downloadThroughput: -1,
      uploadThroughput,
    });
}

/** Waits until the upload's progress shows that the connection is lost. A toast has shown it too. */
export const goingOn = (page: Page): Promise<void> => page.getByText('· Connection lost. Reconnecting…').waitFor();

export const toldOfLoss = ['Upload failed. Please try again.', 'Connection lost. Reconnecting…'];
