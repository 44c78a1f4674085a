/** The last step of every login, however its owner proved who they are. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionRow, UserRow } from '../../../drizzle/schema.ts';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { WrongCredentials } from '../../errors.ts';
import { assertMayLogIn } from '../may-log-in.ts';
import { insertSession } from '../queries.ts';
import { giveTokens, newSession } from './new-session.ts';

type Language = 'en' | 'ar';
export type Login = { request: FastifyRequest; reply: FastifyReply; user: UserRow; language: Language };
export type Opening = Pick<SessionRow, 'method'> &
  Partial<Pick<SessionRow, 'secondFactor' | 'identityId' | 'providerSid' | 'idToken'>>;

export type OpenSession = ReturnType<typeof createSessionOpener>;

/** @param noteLogin called with each login before its response; undefined if the server sends no mail */
export function createSessionOpener(
  app: FastifyInstance,
  config: Config,
  noteLogin: ((login: Login) => void) | undefined,
) {
  /**
   * Sets the session's cookie.
   * @param login its account as it was when its owner proved who they are
   * @returns the bearer token
   * @throws AccountDisabled, AccountPending; WrongCredentials if the account has changed meanwhile
   */
  return async function open(login: Login, opening: Opening): Promise<string> {
    const { request, reply, user } = login;
    await assertMayLogIn(app.db, request, user);
    const session = await app.db.transaction(async (tx) => {
      const inserted = await insertSession(tx, user, { ...newSession(request), ...opening });
      if (!inserted) throw new WrongCredentials();
      const details = { method: opening.method, second_factor: opening.secondFactor ?? null };
      await note(tx, { action: 'login', actor: actorOf(request, user), details });
      return inserted;
    });
    noteLogin?.(login);
    return giveTokens(app, { request, reply, config }, session);
  };
}
