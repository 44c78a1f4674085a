import './styles/layers.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchParts } from './lib/lazy-part.ts';
import { refuseDrops } from './lib/refuse-drops.ts';
import { whenSettled } from './lib/when-settled.ts';
import { preloadLinks } from './load-page.ts';
import { connectSession } from './session/connect.ts';
import { loadLanguage, withLaterWords } from './text/language.ts';
import { offerReload } from './ui/toasts/toast.ts';

connectSession();
refuseDrops();
watchParts(offerReload);

function show(): void {
  const root = document.getElementById('root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  preloadLinks();
  whenSettled(() => {
    withLaterWords(import('./install/start.tsx')).then(
      ({ start }) => start(),
      // No screen needs it.
      () => undefined,
    );
  });
}

/** Menus, where the browser has none. Without them, their content is always on the screen. */
const popovers =
  'popover' in HTMLElement.prototype ? undefined : import('@oddbird/popover-polyfill').catch(() => undefined);

// Not a top-level await: the file of the words may import this one's chunk, which would be a deadlock.
Promise.all([loadLanguage(), popovers]).then(show, () => {
  // boot.js has the words for this.
  window.dispatchEvent(new Event('start-failed'));
});
