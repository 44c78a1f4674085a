/** What an upload is interrupted by: a server of its own that can be killed, and a network that can be pulled. */
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

/** What the network lets through, in bytes a second; 0: nothing. */
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

/** Waits until the upload tells, beside its progress, that no answer comes; a toast has said so too. */
export const goingOn = (page: Page): Promise<void> =>
  page.getByText('· The connection was lost. Going on by itself').waitFor();

export const toldOfLoss = ['Upload failed. Please try again.', 'The connection was lost. Going on by itself'];
