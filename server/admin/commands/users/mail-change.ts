import type { UserRow } from '../../../../drizzle/schema.ts';
import { openOutbox } from '../../../auth/account-mail/open-outbox.ts';
import { createWayInMailer } from '../../../auth/account-mail/way-in-mails.ts';
import type { WayInChange } from '../../../auth/account-mail/way-in-text.ts';
import type { Admin } from '../context.ts';

/** Longer than the mail server may take (mail/mailer.ts). */
const PATIENCE_MS = 60_000;

/** Mails an account's owner what the command has changed, where mail is set up. A failure is only printed. */
export async function mailChange({ db, config }: Admin, owner: UserRow, change: WayInChange): Promise<void> {
  const failed = (details: object): void =>
    console.error(`The mail to its owner could not be sent: ${JSON.stringify(details)}.`);
  const outbox = openOutbox(config, { info: () => {}, error: failed }, PATIENCE_MS);
  if (!outbox) return;
  createWayInMailer(db, outbox, config)(owner, change, 'en');
  await outbox.close();
}
