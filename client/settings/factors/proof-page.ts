/** The page that a person leaves for a login at the sign-in provider, and to which that login leads back. */
import { navigate } from 'wouter/use-browser-location';
import { tabStorage } from '../../lib/browser-storage.ts';

const pageKey = 'proof-page';

export const forgetPage = (): void => tabStorage.removeItem(pageKey);

/** Leaves the page. Resolves only if the browser shows it again as it was, after a step back. */
export async function leaveFor(url: string): Promise<void> {
  tabStorage.setItem(pageKey, window.location.pathname + window.location.search);
  await new Promise<void>((resolve) => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      window.removeEventListener('pageshow', onShow);
      resolve();
    };
    window.addEventListener('pageshow', onShow);
    window.location.assign(url);
  });
  forgetPage();
}

/** The provider leads back to the settings. Call there. */
export function returnToPage(): void {
  const page = tabStorage.getItem(pageKey);
  forgetPage();
  if (page?.startsWith('/') && page !== window.location.pathname) navigate(page, { replace: true });
}
