import { useRef } from 'react';
import { reasonOf } from '../api/api-error.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { settings as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import styles from './form.module.css';
import type { MailState } from './use-mail-settings.ts';

/** Shows that a changed email needs confirmation; resends the mail or cancels the change. */
export function PendingEmail({ email, resend, cancel }: Pick<MailState, 'resend' | 'cancel'> & { email: string }) {
  const [busy, start] = useBusy();
  const place = useRef<HTMLDivElement>(null);
  const attempt = (work: () => Promise<void>, done: string) =>
    start(async () => {
      try {
        await work();
        showSuccess(done);
      } catch (error) {
        showError(texts.failed, reasonOf(error));
      }
    });
  const cancelAndLeave = async () => {
    const box = place.current?.closest<HTMLElement>('section');
    await cancel();
    // The button disappears with the pending email.
    box?.focus();
  };
  return (
    <div className={styles.pending} ref={place} role="status">
      <p>
        {texts.email.waiting} <bdi>{email}</bdi>
      </p>
      <div className={styles.row}>
        <Button variant="line" busy={busy} onClick={() => attempt(resend, texts.email.resent)}>
          {texts.email.resend}
        </Button>
        <Button
          variant="ghost"
          aria-disabled={busy || undefined}
          onClick={() => attempt(cancelAndLeave, texts.email.cancelled)}
        >
          {texts.email.cancel}
        </Button>
      </div>
    </div>
  );
}
