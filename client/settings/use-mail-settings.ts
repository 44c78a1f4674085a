import type { MailSettings } from '../../server/contract.ts';
import { cancelEmail, readMailSettings, resendConfirmation, setLoginMails } from '../api/account/account-mail.ts';
import { mailKey } from '../query/keys.ts';
import { changing, queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useQuery } from '../query/use-query.ts';
import { mailLanguage } from '../text/words.ts';

const mailQuery: Query<MailSettings> = { key: mailKey, load: readMailSettings };

const changePending = async (call: () => Promise<MailSettings['pending_email']>): Promise<void> => {
  await changing<MailSettings, MailSettings['pending_email']>(mailKey, call, (data, pending_email) => ({
    ...data,
    pending_email,
  }));
};

/** The account's mail settings; null until loaded. If loading fails, the settings stay hidden. */
export function useMailSettings() {
  const { data } = useQuery(mailQuery);
  return {
    mail: data ?? null,
    reload: () => void queries.fetch(mailQuery),
    async setLoginMails(wanted: boolean): Promise<void> {
      await changing<MailSettings, MailSettings>(
        mailKey,
        () => setLoginMails(wanted),
        (_, settings) => settings,
      );
    },
    resend: (): Promise<void> => changePending(() => resendConfirmation(mailLanguage)),
    cancel: (): Promise<void> =>
      changePending(async () => {
        await cancelEmail();
        return null;
      }),
  };
}

export type MailState = ReturnType<typeof useMailSettings>;
