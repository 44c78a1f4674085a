import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '../../../drizzle/schema.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import { addressKey } from '../../http/limits/address.ts';
import { countAttempt } from '../../http/limits/rate-limit-queries.ts';
import type { Language } from '../../mail/letter.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { deviceToken, setDeviceCookie } from '../session/cookie.ts';
import { agentOf } from '../session/user-agent.ts';
import { loginMail } from './mail-text.ts';
import { seeDevice } from './queries.ts';

const day = 24 * 3_600_000;
/** For one account. */
const mailsADay = 10;

type Login = { request: FastifyRequest; reply: FastifyReply; user: UserRow; language: Language };

/** Browsers always send one of these headers; other programs send none and keep no cookies. */
const isBrowser = ({ headers }: FastifyRequest) =>
  [headers.origin, headers.referer, headers['sec-fetch-site']].some((header) => header !== undefined);

/** Mails the owner, after the response, about a login from a device that the account has not used before. */
export function createLoginMails(
  db: Database,
  outbox: Outbox,
  { publicUrl, passwordLogin }: Pick<Config, 'publicUrl' | 'passwordLogin'>,
) {
  /** Identifies a browser by a random cookie as hard to guess as a session, and a program by its name and address. */
  function keyOf(request: FastifyRequest, reply: FastifyReply): string[] {
    const agent = request.headers['user-agent'] ?? '';
    if (!isBrowser(request)) return ['program', agent, addressKey(request.ip)];
    const token = deviceToken(request, publicUrl) ?? randomBytes(32).toString('base64url');
    setDeviceCookie(request, reply, publicUrl, token);
    return ['browser', token];
  }

  async function isNew(user: UserRow, keyHash: string): Promise<boolean> {
    const { known, first } = await seeDevice(db, user, keyHash);
    if (known || !user.loginMails) return false;
    // The first login after a registration is expected.
    if (first && Date.now() - user.createdAt.getTime() < day) return false;
    const { count } = await countAttempt(db, `login-mail:${user.id}`, day);
    return count <= mailsADay;
  }

  return function noteLogin({ request, reply, user, language }: Login): void {
    // Keyed by account, so that the table does not show which accounts share a browser.
    const keyHash = createHash('sha256')
      .update([user.id, ...keyOf(request, reply)].join('\0'))
      .digest('hex');
    const [time, program] = [new Date(), request.headers['user-agent']];
    outbox.send('a login from a new device', async () => {
      if (!(await isNew(user, keyHash))) return undefined;
      const agent = await agentOf(program ?? null);
      const { username, email } = user;
      return { to: email, mail: loginMail(language, { username, origin: outbox.origin, agent, time, passwordLogin }) };
    });
  };
}
