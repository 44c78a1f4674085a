/* global __BOOT__ */
// Runs before everything else on the page, and fetches the rest ahead. The build inlines this classic script (boot-plugin.ts),
// and the server's CSP allows only this text.
(() => {
  const { api, art, files, routes, languages } = __BOOT__;
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
  const spoken = [chosen, ...navigator.languages].map((tag) => String(tag).toLowerCase().split('-')[0]);
  const language = spoken.find((code) => Object.hasOwn(languages, code)) || 'en';
  const { direction, words, fonts, failed } = languages[language];
  document.documentElement.lang = language;
  document.documentElement.dir = direction;

  const preload = (link) =>
    document.head.append(Object.assign(document.createElement('link'), { rel: 'preload' }, link));
  const routeOf = (path) => routes.find(({ pattern }) => new RegExp(pattern, 'i').test(path));
  let asked = routeOf(location.pathname);
  if (asked.to) asked = routeOf(asked.to);
  const route = asked.login && !token ? routeOf(__LOGIN__) : asked;
  if (route.page === 'gallery') {
    // The gallery's first list; client/api/early-list.ts uses it if the first call for a list is the same.
    const query = new URLSearchParams(location.search);
    const number = (name) => (/^[1-9]\d{0,8}$/.exec(query.get(name) || '') || [])[0];
    const deleted = number('deleted');
    const [sort, order] = [query.get('sort'), query.get('order')];
    const isSorted = /^(?:date-asc|(?:name|size)-(?:asc|desc))$/.test(`${sort}-${order}`);
    const wanted = {
      page: number('page') || '1',
      ...(deleted ? { deleted } : {}),
      search: query.get('search') || '',
      ...(isSorted ? { sort, order } : {}),
      ...(isSorted && sort === 'name' && language !== 'en' ? { language } : {}),
    };
    const url = new URL(`${api}/images/?${new URLSearchParams(wanted)}`, location.href).href;
    const stop = new AbortController();
    const authorization = `Bearer ${token}`;
    const answer = fetch(url, {
      headers: { Authorization: authorization },
      credentials: 'include',
      priority: 'high',
      signal: stop.signal,
    });
    window.earlyList = { url, authorization, answer, stop, sentAt: performance.now() };
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
  const places = new Set([...['start', ...route.words].flatMap((part) => words[part]), ...route.files]);
  for (const place of places) {
    const href = files[place];
    preload(
      href.endsWith('.css') ? { as: 'style', crossOrigin: '', href } : { rel: 'modulepreload', crossOrigin: '', href },
    );
  }
  for (const href of new Set([...fonts, ...(route.fonts || [])]))
    preload({ as: 'font', type: 'font/woff2', crossOrigin: '', href });
  if (art && route.art) preload({ as: 'image', fetchPriority: 'high', href: art });

  // The page stays empty if its first files do not load: an error screen that needs none of them.
  const fail = () => {
    const root = document.getElementById('root');
    if (!root || root.childElementCount > 0) return;
    const [title, advice, reload] = failed;
    const add = (name, text) => box.append(Object.assign(document.createElement(name), { textContent: text }));
    const box = document.createElement('div');
    box.className = 'start-failed';
    box.setAttribute('role', 'alert');
    add('h1', title);
    add('p', advice);
    add('button', reload);
    box.lastChild.addEventListener('click', () => location.reload());
    document.title = title;
    root.append(box);
  };
  addEventListener('start-failed', fail);
  // A script of the page, or one that it imports. Errors of elements do not bubble.
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && fail(), true);
})();
