import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import { countAttempt } from '../../http/limits/rate-limit-queries.ts';
import type { Language } from '../../mail/letter.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { type WayInChange, wayInMail } from './way-in-text.ts';

const hour = 3_600_000;
/** For one account and one kind of change. The last one says that further changes of that kind are not mailed. */
const mailsAnHour = 20;

type Settings = Pick<Config, 'passwordLogin'>;
type Owner = Pick<UserRow, 'id' | 'username' | 'email'>;

/** @param owner that of the call, unless it has no session */
export type WayInMails = (request: FastifyRequest, change: WayInChange, owner?: Owner) => void;

/** The call's language, else the browser's first. */
function languageOf({ body, headers }: FastifyRequest): Language {
  const { language } = (body ?? {}) as { language?: unknown };
  if (language === 'en' || language === 'ar') return language;
  return headers['accept-language']?.toLowerCase().startsWith('ar') ? 'ar' : 'en';
}

/** Mails each change of the ways into an account, after the response. No setting turns these mails off, and a full outbox drops none. */
export function createWayInMails(db: Database, outbox: Outbox, config: Settings): WayInMails {
  const mail = createWayInMailer(db, outbox, config);
  return (request, change, owner = request.account) => mail(owner, change, languageOf(request));
}

/** The same for a change that no request makes. */
export function createWayInMailer(db: Database, outbox: Outbox, { passwordLogin }: Settings) {
  return function mail({ id, username, email }: Owner, change: WayInChange, language: Language): void {
    const time = new Date();
    outbox.send('a change of the ways into an account', async () => {
      // Separate, so that what needs no proof of the owner, such as a token that only uploads, hides nothing else.
      const budget = 'proven' in change && change.proven ? `${change.kind}-proven` : change.kind;
      const { count } = await countAttempt(db, `way-in-mail:${budget}:${id}`, hour);
      if (count > mailsAnHour) return undefined;
      const facts = { username, origin: outbox.origin, time, isLast: count === mailsAnHour, passwordLogin };
      return { to: email, mail: wayInMail(language, change, facts) };
    });
  };
}
