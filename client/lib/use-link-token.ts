import { useEffect, useState } from 'react';

const tokenInAddress = (): string => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';

/** The secret of a mailed link. It is removed from the address bar, so that no one copies or bookmarks it. */
export function useLinkToken(): string {
  // React may run this twice, so it must not change the address.
  const [token] = useState(tokenInAddress);
  useEffect(() => {
    if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [token]);
  return token;
}
