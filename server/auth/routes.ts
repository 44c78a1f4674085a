import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { UserRow } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import { LoginAnswer, LoginBody, RegisterBody, UserAnswer } from '../contract.ts';
import {
  AccountDisabled,
  CommonPassword,
  EmailTaken,
  ForeignOrigin,
  PasswordIsName,
  RegistrationClosed,
  UsernameTaken,
  WrongCredentials,
} from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { perAddress } from '../http/limits/rate-limit.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { sessionOnly, withoutLogin } from '../http/scopes.ts';
import { clearCookie } from './cookie.ts';
import type { Credentials } from './credentials.ts';
import { explainField } from './field-texts.ts';
import { giveTokens, newSession } from './new-session.ts';
import { hashNewPassword } from './password/password-rules.ts';
import { deleteSession, insertSession, insertUser } from './queries.ts';
import { userAnswer } from './user-answer.ts';

const minute = 60_000;
const hour = 60 * minute;

type Options = {
  config: Config;
  credentials: Credentials;
  /** Called with each login before its response; undefined if the server sends no mail. */
  noteLogin: ((login: Login) => void) | undefined;
};
type Login = { request: FastifyRequest; reply: FastifyReply; user: UserRow; language: 'en' | 'ar' };

export const authRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, credentials, noteLogin }) => {
  const registering = {
    schema: {
      operationId: 'registerAccount',
      summary: 'Create an account',
      body: RegisterBody,
      response: { 201: UserAnswer },
    },
    schemaErrorFormatter: explainField,
    config: {
      ...perAddress('register', 60, hour),
      ...withoutLogin,
      ...refuses(RegistrationClosed, CommonPassword, PasswordIsName, UsernameTaken, EmailTaken),
    },
  };
  app.post('/register', registering, async (request, reply) => {
    if (config.registration === 'closed') throw new RegistrationClosed();
    const { username, email, password } = request.body;
    // Hashed before the lookup, so that the time does not show which names are taken.
    const passwordHash = await hashNewPassword(password, { username, email });
    const user = await insertUser(app.db, { username, email, passwordHash });
    return reply.code(201).send({ user: userAnswer(user) });
  });

  const loggingIn = {
    schema: { operationId: 'logIn', summary: 'Log in', body: LoginBody, response: { 200: LoginAnswer } },
    schemaErrorFormatter: explainField,
    config: {
      ...perAddress('login', 60, minute),
      ...withoutLogin,
      ...refuses(WrongCredentials, AccountDisabled),
    },
  };
  app.post('/login', loggingIn, async (request, reply) => {
    const { email, password, language = 'en' } = request.body;
    const user = await credentials.check(email, password, request.ip);
    if (!user) throw new WrongCredentials();
    // Reported only after the right password, so that strangers cannot see it.
    if (user.disabledAt) throw new AccountDisabled();
    const session = await insertSession(app.db, user, newSession(request));
    if (!session) throw new WrongCredentials();
    noteLogin?.({ request, reply, user, language });
    return { access_token: giveTokens(app, { request, reply, config }, session), user: userAnswer(user) };
  });

  await app.register(async (scope) => {
    ignoreBodies(scope);
    // Far above the use of people behind one address: everyone must be able to end a session, which costs one statement.
    const leaving = {
      config: { ...perAddress('logout', 6000, minute), ...withoutLogin, ...refuses(ForeignOrigin) },
      schema: { operationId: 'logOut', summary: 'End the session of the call', response: { 204: Type.Null() } },
    };
    scope.post('/logout', leaving, async (request, reply) => {
      for (const sessionId of app.sessions.presented(request)) await deleteSession(app.db, sessionId);
      // Another site must not clear a visitor's cookie.
      if (app.sessions.isFromAllowedOrigin(request)) clearCookie(request, reply, config.publicUrl);
      return reply.code(204).send(null);
    });
  });

  const identifying = {
    onRequest: app.guard,
    config: sessionOnly,
    schema: { operationId: 'getAccount', summary: 'Read the account of the call', response: { 200: UserAnswer } },
  };
  app.get('/me', identifying, async (request) => ({
    user: userAnswer(request.account),
  }));
};
