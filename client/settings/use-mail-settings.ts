import type { MailSettings } from '../../server/contract.ts';
import { cancelEmail, readMailSettings, resendConfirmation, setLoginMails } from '../api/account-mail.ts';
import { mailKey } from '../query/keys.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query-store.ts';
import { useQuery } from '../query/use-query.ts';
import { mailLanguage } from '../text/words.ts';

const mailQuery: Query<MailSettings> = { key: mailKey, load: readMailSettings };

function setPending(pending_email: MailSettings['pending_email']): void {
  const { data } = queries.read<MailSettings>(mailKey);
  if (data) queries.setData(mailKey, { ...data, pending_email });
}

/** The account's mail settings; null until loaded. If loading fails, the settings stay hidden. */
export function useMailSettings() {
  const { data } = useQuery(mailQuery);
  return {
    mail: data ?? null,
    reload: () => void queries.fetch(mailQuery),
    async setLoginMails(wanted: boolean): Promise<void> {
      queries.setData(mailKey, await setLoginMails(wanted));
    },
    async resend(): Promise<void> {
      setPending(await resendConfirmation(mailLanguage));
    },
    async cancel(): Promise<void> {
      await cancelEmail();
      setPending(null);
    },
  };
}

export type MailState = ReturnType<typeof useMailSettings>;
