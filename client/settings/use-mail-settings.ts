import { useCallback, useEffect, useState } from 'react';
import type { MailSettings } from '../../server/contract.ts';
import { cancelEmail, readMailSettings, resendConfirmation, setLoginMails } from '../api/account-mail.ts';
import { mailLanguage } from '../text/words.ts';

/** The account's mail settings; null until loaded. If loading fails, the settings stay hidden. */
export function useMailSettings() {
  const [mail, setMail] = useState<MailSettings | null>(null);
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts reloads
  useEffect(() => {
    const reading = new AbortController();
    readMailSettings(reading.signal).then(setMail, () => undefined);
    return () => reading.abort();
  }, [asked]);

  return {
    mail,
    reload: useCallback(() => setAsked((times) => times + 1), []),
    async setLoginMails(wanted: boolean): Promise<void> {
      setMail(await setLoginMails(wanted));
    },
    async resend(): Promise<void> {
      const pending_email = await resendConfirmation(mailLanguage);
      setMail((now) => now && { ...now, pending_email });
    },
    async cancel(): Promise<void> {
      await cancelEmail();
      setMail((now) => now && { ...now, pending_email: null });
    },
  };
}

export type MailState = ReturnType<typeof useMailSettings>;
