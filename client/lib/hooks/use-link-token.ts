import { useEffect, useState } from 'react';

/** `isFirst`: the link confirms a mailbox of its account for the first time. */
type MailedLink = { token: string; isFirst: boolean };

function linkInAddress(): MailedLink {
  const params = new URLSearchParams(window.location.hash.slice(1));
  return { token: params.get('token') ?? '', isFirst: params.has('first') };
}

function linkInHistory(): MailedLink {
  const { linkToken = '', linkIsFirst = false } = window.history.state ?? {};
  return { token: linkToken, isFirst: linkIsFirst };
}

/**
 * What a mailed link says, with its secret. It is removed from the address bar, so that no one copies or bookmarks it, and kept in the history
 * entry, for a reload. A page that has used it replaces the entry. Another link opened in the same tab replaces the secret.
 */
export function useMailedLink(): MailedLink {
  // React may run this twice, so it must not change the address.
  const [link, setLink] = useState<MailedLink>(() => (linkInAddress().token ? linkInAddress() : linkInHistory()));
  useEffect(() => {
    const take = (): void => {
      const opened = linkInAddress();
      if (!opened.token) return;
      const kept = { linkToken: opened.token, linkIsFirst: opened.isFirst };
      window.history.replaceState({ ...window.history.state, ...kept }, '', window.location.pathname);
      setLink(opened);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return link;
}

/** The secret of a mailed link. */
export const useLinkToken = (): string => useMailedLink().token;
