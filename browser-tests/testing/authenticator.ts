import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** The same server by the name with which passkeys work. */
export const byName = (stage: Stage): Stage => ({ ...stage, origin: stage.origin.replace('127.0.0.1', 'localhost') });

/** Gives a page's browser a device with passkeys, which verifies its user. */
export async function addAuthenticator(page: Page) {
  const debug = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    passkeys: async () => (await debug.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    clear: () => debug.send('WebAuthn.clearCredentials', { authenticatorId }),
    /** Whether the person is recognized from now on. */
    verify: (isUserVerified: boolean) => debug.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}
