/* global __BOOT__ */
// Runs before everything else on the page, and fetches the rest ahead. The build inlines this classic script (boot-plugin.ts),
// and the server's CSP allows only this text.
(() => {
  const { api, art, parts, languages } = __BOOT__;
  let theme = null;
  let token = null;
  let chosen = null;
  try {
    theme = localStorage.getItem('theme');
    token = localStorage.getItem('access_token');
    chosen = localStorage.getItem('language');
  } catch {
    // Storage is blocked: use the system's theme and the browser's language, logged out.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

  // The reader's choice, else the first of the browser's languages that the page supports.
  const asked = [chosen, ...navigator.languages].map((tag) => String(tag).toLowerCase().split('-')[0]);
  const language = asked.find((code) => Object.hasOwn(languages, code)) || 'en';
  const { direction, words, fonts } = languages[language];
  document.documentElement.lang = language;
  document.documentElement.dir = direction;

  const preload = (link) =>
    document.head.append(Object.assign(document.createElement('link'), { rel: 'preload' }, link));
  const path = location.pathname
    .toLowerCase()
    .replace(/\/$/, '')
    .replace(/^(\/dashboard\/albums)\/[^/]+$/, '$1/one');
  const guarded = /^(?:\/dashboard(?:\/(upload|images|video|settings|albums(?:\/one)?))?)?$/.exec(path);
  const screen = guarded ? (token ? guarded[1] || 'upload' : 'login') : path.slice(1);
  if (screen === 'images') {
    // The gallery's first list; client/api/early-list.ts uses it if the first call is the same.
    const query = new URLSearchParams(location.search);
    const page = query.get('page') || '';
    const [sort, order] = [query.get('sort'), query.get('order')];
    const isSorted = /^(?:date-asc|(?:name|size)-(?:asc|desc))$/.test(`${sort}-${order}`);
    const asked = {
      page: /^[1-9]\d{0,8}$/.test(page) ? page : '1',
      search: query.get('search') || '',
      ...(isSorted ? { sort, order } : {}),
    };
    const url = new URL(`${api}/images/?${new URLSearchParams(asked)}`, location.href).href;
    const stop = new AbortController();
    const authorization = `Bearer ${token}`;
    const answer = fetch(url, {
      headers: { Authorization: authorization },
      credentials: 'include',
      priority: 'high',
      signal: stop.signal,
    });
    window.earlyList = { url, authorization, answer, stop };
    answer
      .then((response) => (response.ok ? response.clone().json() : { images: [] }))
      .then(({ images }) => {
        for (const { thumbnail_url, thumbnail_avif_url, hidden } of images.slice(0, 6)) {
          if (hidden) continue;
          preload({
            as: 'image',
            href: thumbnail_avif_url || thumbnail_url,
            type: thumbnail_avif_url ? 'image/avif' : '',
          });
        }
      })
      .catch(() => {
        // The code that uses the answer handles the error.
      });
  }
  for (const href of [...words, ...(Object.hasOwn(parts, screen) ? parts[screen] : parts.lost)]) {
    preload(
      href.endsWith('.css') ? { as: 'style', crossOrigin: '', href } : { rel: 'modulepreload', crossOrigin: '', href },
    );
  }
  for (const href of fonts) preload({ as: 'font', type: 'font/woff2', crossOrigin: '', href });
  if (art && /^(?:login|register|forgot|reset|email)$/.test(screen))
    preload({ as: 'image', fetchPriority: 'high', href: art });
})();
