import type { UserRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database, Transaction } from '../../database/connect.ts';
import { serverBusy, WrongPassword } from '../../errors.ts';
import { tooManyRequests } from '../../http/limits/rate-limit.ts';
import { countAttempt } from '../../http/limits/rate-limit-queries.ts';
import type { Language } from '../../mail/letter.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { hashToken, newToken } from '../../mail/token.ts';
import { emailKey } from '../account-names.ts';
import { confirmationMail, noticeMail } from './mail-text.ts';
import { insertEmailChange, type PendingEmail, renewEmailChange, type Unconfirmed } from './queries.ts';

const hour = 3_600_000;
/** Milliseconds that a link is valid. */
const lifetime = 24 * hour;
/** Mails an hour by one account, and to one address, so that nobody's mailbox is flooded. */
const mailsAnHour = 5;

export type EmailChange = ReturnType<typeof createEmailChange>;
type Named = Pick<UserRow, 'id' | 'username'>;
type Settings = Pick<Config, 'passwordLogin'> & { limited: boolean };

/** An email is confirmed, and a new one takes effect, when the link mailed to it is opened. */
export function createEmailChange(db: Database, outbox: Outbox, { limited, passwordLogin }: Settings) {
  const addressKey = (email: string) => `email-change-to:${hashToken(emailKey(email))}`;

  async function count(tx: Transaction, key: string): Promise<void> {
    const { count, msLeft } = await countAttempt(tx, key, hour);
    if (count > mailsAnHour) throw tooManyRequests(msLeft);
  }

  /** Call in the transaction that mails the link, so that a refused request does not count. @throws TooManyRequests */
  async function countMail(tx: Transaction, userId: string, email: string): Promise<void> {
    if (!limited) return;
    await count(tx, `email-change:${userId}`);
    await count(tx, addressKey(email));
  }

  function refuseWhenFull(): void {
    if (outbox.isFull()) throw serverBusy(30);
  }

  function newLink() {
    const token = newToken();
    return { token, tokenHash: hashToken(token), lifetimeMs: lifetime };
  }

  function letterWith(
    token: string,
    { username }: Named,
    { email, isNew, isConfirmed }: Unconfirmed,
    language: Language,
  ) {
    const { origin } = outbox;
    const isFirst = passwordLogin === 'on' && !isConfirmed;
    // In the fragment, which browsers do not send, so that no proxy logs the token.
    const link = `${origin}/email#token=${token}${isFirst ? '&first' : ''}`;
    return { to: email, mail: confirmationMail(language, { username, origin, link, isFirst, isNew }) };
  }

  const sendLink = (user: Named, pending: Unconfirmed, token: string, language: Language): void =>
    outbox.send('a link to confirm an email', async () => letterWith(token, user, pending, language));

  return {
    /**
     * @param user as it was when its password was checked
     * @param alongside runs in the same transaction
     * @returns the updated account
     * @throws WrongPassword if it has changed since; EmailTaken, ServerBusy, TooManyRequests; errors of `alongside`
     */
    async request(
      user: UserRow,
      email: string,
      language: Language,
      alongside: (tx: Transaction) => Promise<UserRow>,
    ): Promise<UserRow> {
      refuseWhenFull();
      const { token, ...link } = newLink();
      const changed = await db.transaction(async (tx) => {
        // First, because it may lock the account's row.
        const row = await alongside(tx);
        if (!(await insertEmailChange(tx, user, { email, ...link }))) throw new WrongPassword();
        await countMail(tx, user.id, email);
        return row;
      });
      const isConfirmed = changed.emailConfirmedAt !== null;
      sendLink(changed, { email, isNew: true, isConfirmed }, token, language);
      const { username, email: to } = changed;
      outbox.send('the notice of another email', async () => ({
        to,
        mail: noticeMail(language, { username, origin: outbox.origin, email, passwordLogin }),
      }));
      return changed;
    },

    /** Mails a new account the link that confirms its email, after the response. @param client which has registered it */
    welcome(user: UserRow, language: Language, client: string): void {
      const { token, ...link } = newLink();
      const write = async () => {
        // An account can be registered, deleted and registered again.
        const { count } = limited ? await countAttempt(db, addressKey(user.email), hour) : { count: 0 };
        if (count > mailsAnHour) return undefined;
        const renewed = await db.transaction((tx) => renewEmailChange(tx, user.id, link));
        return renewed && letterWith(token, user, renewed, language);
      };
      outbox.send('a link to confirm an email', write, client);
    },

    /** @returns undefined if nothing waits for a confirmation @throws ServerBusy, TooManyRequests */
    async resend(user: Named, language: Language): Promise<PendingEmail | undefined> {
      refuseWhenFull();
      const { token, ...link } = newLink();
      const renewed = await db.transaction(async (tx) => {
        const row = await renewEmailChange(tx, user.id, link);
        if (row) await countMail(tx, user.id, row.email);
        return row;
      });
      if (renewed) sendLink(user, renewed, token, language);
      return renewed;
    },
  };
}
