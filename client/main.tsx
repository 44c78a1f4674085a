import './styles/layers.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connectSession } from './session/connect.ts';
import { applyLanguage } from './text/language.ts';

applyLanguage(document.documentElement);
connectSession();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
