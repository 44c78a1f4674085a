import { configureApi } from '../api/client.ts';
import { texts } from '../text/auth.ts';
import { showError } from '../ui/toast.tsx';
import './own.ts';
import { session } from './session.ts';
import { tokenKey } from './session-store.ts';

/** Ties the session to the calls (token out, refusals in), to the other tabs, and to the one toast of its expiry. */
export function connectSession() {
  configureApi({ token: session.token, onRefusedToken: session.expire });
  session.onEnd((how) => {
    if (how === 'expired') showError(texts.sessionExpired);
  });
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) session.refresh();
  });
}
