import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { LoginAnswer, LoginBody, RegisterBody, UserAnswer } from '../contract.ts';
import { AccountDisabled, RegistrationClosed, WrongCredentials } from '../errors.ts';
import { explainField } from '../field-texts.ts';
import { ignoreBodies } from '../plugins/ignore-bodies.ts';
import { perAddress } from '../rate-limit/plugin.ts';
import { userAnswer } from '../user-answer.ts';
import { clearCookie, setCookie } from './cookie.ts';
import type { Credentials } from './credentials.ts';
import { hashPassword } from './passwords.ts';
import { deleteSession, insertSession, insertUser } from './queries.ts';
import { sessionLifetime, signToken } from './tokens.ts';

const minute = 60_000;
const hour = 60 * minute;

type Options = { config: Config; credentials: Credentials };

export const authRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, credentials }) => {
  const registering = {
    schema: { body: RegisterBody, response: { 201: UserAnswer } },
    schemaErrorFormatter: explainField,
    config: perAddress('register', 60, hour),
  };
  app.post('/register', registering, async (request, reply) => {
    if (config.registration === 'closed') throw new RegistrationClosed();
    const { username, email, password } = request.body;
    // Hashed before the names are looked up, so that the time does not tell a taken one from a free one.
    const passwordHash = await hashPassword(password);
    const user = await insertUser(app.db, { username, email, passwordHash });
    return reply.code(201).send({ user: userAnswer(user) });
  });

  const loggingIn = {
    schema: { body: LoginBody, response: { 200: LoginAnswer } },
    schemaErrorFormatter: explainField,
    config: perAddress('login', 60, minute),
  };
  app.post('/login', loggingIn, async (request, reply) => {
    const { email, password } = request.body;
    const user = await credentials.check(email, password, request.ip);
    if (!user) throw new WrongCredentials();
    // Only who knows the password learns that the account is disabled.
    if (user.disabledAt) throw new AccountDisabled();
    const session = await insertSession(app.db, user, {
      lifetimeMs: sessionLifetime,
      userAgent: request.headers['user-agent'],
    });
    if (!session) throw new WrongCredentials();
    setCookie(request, reply, config.publicUrl, signToken(app, session, 'cookie'));
    return { access_token: signToken(app, session, 'bearer'), user: userAnswer(user) };
  });

  await app.register(async (scope) => {
    ignoreBodies(scope);
    scope.post('/logout', { schema: { response: { 204: Type.Null() } } }, async (request, reply) => {
      for (const sessionId of app.presentedSessions(request)) await deleteSession(app.db, sessionId);
      clearCookie(request, reply, config.publicUrl);
      return reply.code(204).send(null);
    });
  });

  app.get('/me', { onRequest: app.guard, schema: { response: { 200: UserAnswer } } }, async (request) => ({
    user: userAnswer(request.account),
  }));
};
