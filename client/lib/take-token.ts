/** Returns the secret of a mailed link and removes it from the address bar, so that no one copies or bookmarks it. */
export function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
