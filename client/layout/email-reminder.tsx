import { accountQuery } from '../administration/account-query.ts';
import { resendConfirmation } from '../api/account/account-mail.ts';
import { reasonOf } from '../api/api-error.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useQuery } from '../query/use-query.ts';
import { mailLanguage, reminder as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import styles from './email-reminder.module.css';

/** Asks the owner to confirm the email until they have. */
export function EmailReminder() {
  const { data: account } = useQuery(accountQuery, true);
  const [busy, start] = useBusy();
  if (!account?.asks_confirmation) return null;
  const send = () =>
    start(async () => {
      try {
        // Where another email is pending, the link is mailed to that one.
        const { email } = await resendConfirmation(mailLanguage);
        showSuccess(texts.sent(email));
      } catch (error) {
        showError(texts.failed, reasonOf(error));
      }
    });
  return (
    <section className={styles.reminder} aria-label={texts.label}>
      <p>
        {texts.text} <bdi>{account.user.email}</bdi> {texts.why}
      </p>
      <Button variant="line" busy={busy} onClick={send}>
        {texts.send}
      </Button>
    </section>
  );
}
