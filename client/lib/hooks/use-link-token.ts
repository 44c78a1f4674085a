import { useEffect, useState } from 'react';

const tokenInAddress = (): string => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';

/**
 * The secret of a mailed link. It is removed from the address bar, so that no one copies or bookmarks it, and kept in the history
 * entry, for a reload. A page that has used it replaces the entry. Another link opened in the same tab replaces the secret.
 */
export function useLinkToken(): string {
  // React may run this twice, so it must not change the address.
  const [token, setToken] = useState<string>(() => tokenInAddress() || (window.history.state?.linkToken ?? ''));
  useEffect(() => {
    const take = (): void => {
      const linkToken = tokenInAddress();
      if (!linkToken) return;
      window.history.replaceState({ ...window.history.state, linkToken }, '', window.location.pathname);
      setToken(linkToken);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return token;
}
