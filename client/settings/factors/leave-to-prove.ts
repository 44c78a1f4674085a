/** Leads to a new login at the sign-in provider, which confirms the owner of the session, and back to the same page. */
import { navigate } from 'wouter/use-browser-location';
import { startProviderProof } from '../../api/provider/identities.ts';
import { browserStorage } from '../../lib/browser-storage.ts';

const pageKey = 'proof-page';

/** Does not resolve: the browser leaves the page. @throws ApiError */
export async function leaveToProve(): Promise<never> {
  const url = await startProviderProof();
  browserStorage.setItem(pageKey, location.pathname + location.search);
  location.assign(url);
  return new Promise<never>(() => {});
}

/** The provider leads back to the settings. Call there. */
export function returnToPage(): void {
  const page = browserStorage.getItem(pageKey);
  browserStorage.removeItem(pageKey);
  if (page?.startsWith('/') && page !== location.pathname) navigate(page, { replace: true });
}
