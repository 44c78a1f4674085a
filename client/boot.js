// Runs before the first paint, as a classic script of its own file: the page's CSP allows no inline script.
(() => {
  let theme = null;
  let token = null;
  try {
    theme = localStorage.getItem('theme');
    token = localStorage.getItem('access_token');
  } catch {
    // Storage is blocked: the system's theme it is.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const art = '__BRAND_ART__';
  if (!art.startsWith('__') && (/^\/(login|register)\/?$/i.test(location.pathname) || !token)) {
    const link = document.createElement('link');
    link.rel = 'preload';
    link.as = 'image';
    link.fetchPriority = 'high';
    link.href = art;
    document.head.append(link);
  }
})();
