import './styles/layers.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { whenSettled } from './lib/when-settled.ts';
import { connectSession } from './session/connect.ts';
import { session } from './session/session.ts';
import { loadLanguage, withLaterWords } from './text/language.ts';
import { forgetQueue } from './upload/forget-queue.ts';

connectSession();
session.onEnd((how) => {
  // Pending files are private: a logout deletes them from the browser.
  if (how === 'ended') forgetQueue();
});
const root = document.getElementById('root');
// Not a top-level await: the file of the words may import this one's chunk, which would be a deadlock.
if (root)
  void loadLanguage().then(() => {
    createRoot(root).render(<App />);
    whenSettled(
      () =>
        void withLaterWords(import('./install/start.tsx'))
          .then(({ start }) => start())
          .catch(() => undefined),
    );
  });
