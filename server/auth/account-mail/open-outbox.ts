import type { Config } from '../../config/config.ts';
import { createMailer } from '../../mail/mailer.ts';
import { createOutbox, type Outbox, type OutboxLog } from '../../mail/outbox.ts';

/** @returns undefined where mail is not set up */
export function openOutbox(
  { smtpUrl: url, mailFrom: from, publicUrl: origin }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>,
  log: OutboxLog,
  closeTimeout?: number,
): Outbox | undefined {
  if (!url || !from || !origin) return undefined;
  return createOutbox({ mailer: createMailer({ url, from }), origin, log, closeTimeout });
}
