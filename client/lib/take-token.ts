/** The secret of a mail's link. It leaves the address bar with the first look, so that nobody copies or bookmarks it. */
export function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
