import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { SessionRow, UserRow } from '../../drizzle/schema.ts';
import {
  AccountChanges,
  PasswordChange,
  PasswordProof,
  type Session,
  SessionList,
  SessionsEnded,
  UserAnswer,
} from '../contract.ts';
import { NotFound, PasswordNeeded, Unauthorized, WrongPassword } from '../errors.ts';
import { explainField } from '../field-texts.ts';
import { ignoreBodies } from '../plugins/ignore-bodies.ts';
import { perAccount, perAddress } from '../rate-limit/plugin.ts';
import { userAnswer } from '../user-answer.ts';
import { changeNames, endOtherSessions, endSession, listSessions } from './queries.ts';
import { agentOf } from './user-agent.ts';

const minute = 60_000;
const hour = 60 * minute;
type Options = {
  /** @throws WrongPassword, TooManyRequests */
  confirm: (account: Pick<UserRow, 'id' | 'email'>, password: string, ip: string) => Promise<UserRow>;
  hashPassword: (password: string) => Promise<string>;
  /** Ends every session but this one. @returns undefined where the account has changed since it was confirmed */
  changePassword: (user: UserRow, change: { passwordHash: string; sessionId: string }) => Promise<number | undefined>;
  /** With everything in it. @returns false where the account has changed since it was confirmed */
  deleteAccount: (user: UserRow) => Promise<boolean>;
  /** Takes the session's cookie from the browser. */
  clearCookie: (request: FastifyRequest, reply: FastifyReply) => void;
};

async function sessionAnswer({ id, createdAt, seenAt, userAgent }: SessionRow, ownId: string): Promise<Session> {
  return {
    id,
    created_at: createdAt.toISOString(),
    seen_at: seenAt.toISOString(),
    ...(await agentOf(userAgent)),
    current: id === ownId,
  };
}

/** What the owner of an account does with it: all behind the guard. */
export const accountRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { confirm, hashPassword, changePassword, deleteAccount, clearCookie } = options;
  app.addHook('onRequest', app.guard);
  // The same count as that of logins: whoever has stolen a session guesses no faster than who has none.
  const asking = { schemaErrorFormatter: explainField, config: perAddress('login', 60, minute) };

  const changing = {
    schemaErrorFormatter: explainField,
    // It tells which names are taken.
    config: perAccount('profile', 60, hour),
    schema: { body: AccountChanges, response: { 200: UserAnswer } },
  };
  app.patch('/', changing, async ({ account, body, ip }) => {
    const { username, password } = body;
    const email = body.email === account.email ? undefined : body.email;
    if (email !== undefined && password === undefined) throw new PasswordNeeded();
    const confirmed = email === undefined ? undefined : await confirm(account, password ?? '', ip);
    if (username === undefined && email === undefined) return { user: userAnswer(account) };
    const user = await changeNames(app.db, account.id, { username, email }, confirmed);
    if (!user) throw confirmed ? new WrongPassword() : new Unauthorized();
    return { user: userAnswer(user) };
  });

  const newPassword = { ...asking, schema: { body: PasswordChange, response: { 200: SessionsEnded } } };
  app.post('/password', newPassword, async ({ account, sessionId, body, ip }) => {
    const user = await confirm(account, body.current_password, ip);
    const passwordHash = await hashPassword(body.new_password);
    const ended = await changePassword(user, { passwordHash, sessionId });
    if (ended === undefined) throw new WrongPassword();
    return { ended };
  });

  const deleting = { ...asking, schema: { body: PasswordProof, response: { 204: Type.Null() } } };
  app.delete('/', deleting, async (request, reply) => {
    const { account, body, ip } = request;
    if (!(await deleteAccount(await confirm(account, body.password, ip)))) throw new WrongPassword();
    clearCookie(request, reply);
    return reply.code(204).send(null);
  });

  app.get('/sessions', { schema: { response: { 200: SessionList } } }, async ({ account, sessionId }) => {
    const rows = await listSessions(app.db, account.id);
    return { sessions: await Promise.all(rows.map((row) => sessionAnswer(row, sessionId))) };
  });

  await app.register(async (plain) => {
    ignoreBodies(plain);
    const scope = plain.withTypeProvider<TypeBoxTypeProvider>();
    scope.delete('/sessions', { schema: { response: { 200: SessionsEnded } } }, async ({ account, sessionId }) => ({
      ended: await endOtherSessions(app.db, account.id, sessionId),
    }));

    const ending = { schema: { params: Type.Object({ id: Type.String() }), response: { 204: Type.Null() } } };
    scope.delete('/sessions/:id', ending, async ({ account, params }, reply) => {
      const ended = isUuid(params.id) && (await endSession(app.db, account.id, params.id));
      if (!ended) throw new NotFound('There is no such session. It may have ended already.');
      return reply.code(204).send(null);
    });
  });
};
