import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { actorOf, note } from '../audit/note.ts';
import type { Config } from '../config/config.ts';
import { LoginAnswer, LoginBody, RegisterAnswer, RegisterBody, UserAnswer } from '../contract.ts';
import {
  AccountDisabled,
  AccountPending,
  ClaimNotAccepted,
  CommonPassword,
  EmailTaken,
  ForeignOrigin,
  InviteForOther,
  InviteNeeded,
  InviteNotAccepted,
  PasswordIsName,
  PasswordLoginOff,
  RegistrationClosed,
  SecondFactorNeeded,
  UsernameTaken,
  WrongCredentials,
} from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { clientKey } from '../http/limits/address.ts';
import { perAddress } from '../http/limits/rate-limit.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { sessionWithoutFactor, withoutLogin } from '../http/scopes.ts';
import type { EmailChange } from './account-mail/email-change.ts';
import type { Credentials } from './credentials.ts';
import { explainField } from './field-texts.ts';
import type { Sessions } from './guard.ts';
import { noteFailure } from './note-failure.ts';
import { assertPasswords } from './password/assert-passwords.ts';
import { hashNewPassword } from './password/password-rules.ts';
import { deleteSession } from './queries.ts';
import { assertMayRegister, register } from './register.ts';
import type { SecondStep } from './second-factor/second-step.ts';
import { clearCookie } from './session/cookie.ts';
import type { OpenSession } from './session/open-session.ts';
import { userAnswer } from './user-answer.ts';

const minute = 60_000;
const hour = 60 * minute;

type Options = {
  config: Config;
  credentials: Credentials;
  sessions: Sessions;
  openSession: OpenSession;
  secondStep: SecondStep;
  /** Undefined where the server sends no mail. */
  emailChange: EmailChange | undefined;
};

export const authRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, credentials, sessions, openSession, secondStep, emailChange } = options;
  const registering = {
    schema: {
      operationId: 'registerAccount',
      summary: 'Create an account',
      body: RegisterBody,
      response: { 201: RegisterAnswer },
    },
    schemaErrorFormatter: explainField,
    config: {
      ...perAddress('register', 60, hour),
      ...withoutLogin,
      ...refuses(
        ...[PasswordLoginOff, RegistrationClosed, InviteNeeded, InviteNotAccepted, InviteForOther, ClaimNotAccepted],
        ...[CommonPassword, PasswordIsName, UsernameTaken, EmailTaken],
      ),
    },
  };
  app.post('/register', registering, async (request, reply) => {
    assertPasswords(config);
    const { username, email, password, language = 'en', ...proof } = request.body;
    await assertMayRegister(app.db, config, proof);
    // Hashed before the lookup, so that the time does not show which names are taken.
    const passwordHash = await hashNewPassword(password, { username, email }, request.ip);
    const user = await app.db.transaction(async (tx) => {
      const { user, details } = await register(tx, config, { username, email, passwordHash }, proof);
      await note(tx, { action: 'account.registered', actor: actorOf(request, user), details });
      return user;
    });
    emailChange?.welcome(user, language, clientKey(request.ip));
    return reply.code(201).send({ user: userAnswer(user), ...(user.pendingSince === null ? {} : { pending: true }) });
  });

  const loggingIn = {
    schema: { operationId: 'logIn', summary: 'Log in', body: LoginBody, response: { 200: LoginAnswer } },
    schemaErrorFormatter: explainField,
    config: {
      ...perAddress('login', 60, minute),
      ...withoutLogin,
      ...refuses(PasswordLoginOff, WrongCredentials, AccountDisabled, AccountPending, SecondFactorNeeded),
    },
  };
  app.post('/login', loggingIn, async (request, reply) => {
    assertPasswords(config);
    const { email, password, language = 'en' } = request.body;
    const user = await credentials.check(email, password, request.ip);
    if (!user) {
      await noteFailure(app.db, request, { email, reason: 'credentials' });
      throw new WrongCredentials();
    }
    await secondStep.begin({ request, user, language });
    // Its state is reported only after the right password, so that strangers cannot see it.
    const token = await openSession({ request, reply, user, language }, { method: 'password' });
    return { access_token: token, user: userAnswer(user) };
  });

  await app.register(logOutRoute, { config, sessions });

  const identifying = {
    onRequest: app.guard,
    config: sessionWithoutFactor,
    schema: { operationId: 'getAccount', summary: 'Read the account of the call', response: { 200: UserAnswer } },
  };
  app.get('/me', identifying, async (request) => ({
    user: userAnswer(request.account),
  }));
};

const logOutRoute: FastifyPluginAsyncTypebox<Pick<Options, 'config' | 'sessions'>> = async (
  app,
  { config, sessions },
) => {
  ignoreBodies(app);
  // Far above the use of people behind one address: everyone must be able to end a session, which costs one statement.
  const leaving = {
    config: { ...perAddress('logout', 6000, minute), ...withoutLogin, ...refuses(ForeignOrigin) },
    schema: { operationId: 'logOut', summary: 'End the session of the call', response: { 204: Type.Null() } },
  };
  app.post('/logout', leaving, async (request, reply) => {
    for (const sessionId of sessions.presented(request)) {
      await app.db.transaction(async (tx) => {
        const user = await deleteSession(tx, sessionId);
        if (user) await note(tx, { action: 'logout', actor: actorOf(request, user) });
      });
    }
    // Another site must not clear a visitor's cookie.
    if (sessions.isFromAllowedOrigin(request)) clearCookie(request, reply, config.publicUrl);
    return reply.code(204).send(null);
  });
};
