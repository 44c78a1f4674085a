import { reasonOf } from '../api/api-error.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { settings as texts } from '../text/words.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import styles from './form.module.css';
import type { MailState } from './use-mail-settings.ts';

/** The option to get a mail about logins from new devices; hidden if the server sends no mail. */
export function LoginMails({ mail, setLoginMails }: Pick<MailState, 'mail' | 'setLoginMails'>) {
  const [busy, start] = useBusy();
  if (!mail?.available) return null;
  const change = (wanted: boolean) =>
    start(async () => {
      try {
        await setLoginMails(wanted);
        showSuccess(texts.saved);
      } catch (error) {
        showError(texts.failed, reasonOf(error));
      }
    });
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={mail.login_mails}
        aria-disabled={busy || undefined}
        onChange={(event) => void change(event.target.checked)}
      />
      {texts.sessions.mails}
    </label>
  );
}
