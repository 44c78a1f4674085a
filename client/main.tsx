import './styles/layers.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { whenSettled } from './lib/when-settled.ts';
import { preloadLinks } from './load-page.ts';
import { connectSession } from './session/connect.ts';
import { loadLanguage, withLaterWords } from './text/language.ts';

connectSession();

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

// Not a top-level await: the file of the words may import this one's chunk, which would be a deadlock.
loadLanguage().then(show, () => {
  // boot.js has the words for this.
  window.dispatchEvent(new Event('start-failed'));
});
