import { configureApi } from '../api/client.ts';
import { settingsPath } from '../routes.ts';
import { shell as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';
import { withdrawUndo } from '../ui/toasts/undoing.ts';
import './own.ts';
import { session } from './session.ts';
import { alone } from './session-lock.ts';
import { tokenKey } from './session-store.ts';

/** Ends the session of a refused token, unless a renewal in any tab is about to replace it (renewing.ts). */
function expire(token: string): void {
  void alone(() => session.expire(token));
}

/** Connects the session to the API client (token out, refusals in), to the other tabs, and to the toast when it expires. */
export function connectSession() {
  configureApi({
    token: session.token,
    onRefusedToken: expire,
    onFactorRequired: () => location.replace(`${settingsPath}?second-factor`),
  });
  session.onEnd((how) => {
    withdrawUndo();
    if (how === 'expired') showError(texts.sessionExpired);
  });
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) session.refresh();
  });
}
