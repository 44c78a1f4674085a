import fp from 'fastify-plugin';
import { note, theServer } from '../audit/note.ts';
import { cutAddresses } from '../audit/queries.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import type { TurnLimits } from '../http/limits/turns.ts';
import type { Outbox } from '../mail/outbox.ts';
import { accountRoutes } from './account/routes.ts';
import { createEmailChange } from './account-mail/email-change.ts';
import { createLoginMails } from './account-mail/login-mails.ts';
import { openOutbox } from './account-mail/open-outbox.ts';
import { dropDeadEmailChanges } from './account-mail/queries.ts';
import { accountMailRoutes, emailConfirmationRoutes } from './account-mail/routes.ts';
import { createWayInMails, type WayInMails } from './account-mail/way-in-mails.ts';
import { deleteExpiredTokens } from './api-tokens/queries.ts';
import { tokenRoutes } from './api-tokens/routes.ts';
import { deleteExpiredChallenges } from './challenge-queries.ts';
import { createCredentials } from './credentials.ts';
import { createSessions, guard, type Sessions } from './guard.ts';
import { deleteOldInvites } from './invites/queries.ts';
import { inviteRoutes } from './invites/routes.ts';
import { noteCounted } from './note-failure.ts';
import { createPasskeys } from './passkeys/authenticate.ts';
import { passkeyLoginRoutes } from './passkeys/login-routes.ts';
import { dropDeadResets } from './password-reset/queries.ts';
import { passwordResetRoutes } from './password-reset/routes.ts';
import { providerRoutes } from './provider/plugin.ts';
import { createProviderParts } from './provider/provider-client.ts';
import { deleteUnapproved, foldEmails } from './queries.ts';
import { announceClaim } from './roles/announce-claim.ts';
import { authRoutes } from './routes.ts';
import { createCodes } from './second-factor/codes.ts';
import { factorRoutes } from './second-factor/factor-routes.ts';
import { secondFactorRoutes } from './second-factor/login-routes.ts';
import { passkeyRoutes } from './second-factor/passkey-routes.ts';
import { createProofs, type Proofs } from './second-factor/proof.ts';
import { proofRoutes } from './second-factor/proof-routes.ts';
import { createSealing } from './second-factor/sealing.ts';
import { createSecondStep } from './second-factor/second-step.ts';
import { compareSecrets } from './secret.ts';
import { clearEnded } from './session/expiry.ts';
import { createSessionOpener } from './session/open-session.ts';
import { tokens } from './session/tokens.ts';
import { signInOptions } from './sign-in-options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What other rooms need of accounts. */
    accounts: {
      /** Whether failures of strangers are limited. */
      countsFailures: boolean;
      /** Whether the owner of a session has just confirmed who they are. */
      proofs: Proofs;
      /** Undefined where the server sends no mail. */
      outbox: Outbox | undefined;
      /** Mails the owner a change of the ways into the account. Does nothing where the server sends no mail. */
      mailWayIn: WayInMails;
      isFromAllowedOrigin: Sessions['isFromAllowedOrigin'];
    };
  }
}

type Options = {
  config: Config;
  /** Signs the tokens; shared by all servers of this gallery. */
  secret: string;
  turns?: Partial<TurnLimits> | undefined;
  isFirstWorker: boolean;
  announcesClaim: boolean;
};

/** Deletes accounts that have waited too long for approval. */
const endWaiting = (db: Database) =>
  db.transaction(async (tx) => {
    for (const account of await deleteUnapproved(tx)) {
      await note(tx, { action: 'account.deleted', actor: theServer, account, details: { reason: 'pending' } });
    }
  });

/** @returns undefined where the server sends no mail */
/** Accounts and sessions: `app.guard` and the routes below /api/auth and /api/account. */
export const auth = fp<Options>(
  async (app, { config, secret, turns, isFirstWorker, announcesClaim }) => {
    const { db } = app;
    await compareSecrets(secret, app.database.processRegistry, app.log);
    await app.register(tokens, { secret });
    const sessions = createSessions(app, config);
    await app.register(guard, { config, sessions, turns });
    app.sweeps.add('ended sessions', () => clearEnded(db));
    app.sweeps.add('expired API tokens', () => deleteExpiredTokens(db));
    app.sweeps.add('links to new passwords', () => dropDeadResets(db));
    app.sweeps.add('links to confirm emails', () => dropDeadEmailChanges(db));
    app.sweeps.add('unfinished logins', () => deleteExpiredChallenges(db));
    app.sweeps.add('invitations', () => deleteOldInvites(db));
    app.sweeps.add('accounts that nobody approved', () => endWaiting(db));
    app.sweeps.add('addresses of the audit log', () => cutAddresses(db));
    app.sweeps.add('failures that were only counted', () => noteCounted(db));

    if (announcesClaim) announceClaim(app, config);
    if (isFirstWorker) await foldEmails(db, app.log);
    const limited = config.rateLimit === 'on';
    const credentials = createCredentials(db, config);
    const outbox = openOutbox(config, app.log);
    if (outbox) app.shutdown.onClose('mails', outbox.close);
    const emailChange = outbox && createEmailChange(db, outbox, { limited, passwordLogin: config.passwordLogin });
    const noteLogin = outbox && createLoginMails(db, outbox, config);
    const openSession = createSessionOpener(app, config, noteLogin);
    const passkeys = createPasskeys(db, config.publicUrl);
    const codes = createCodes(db, { sealing: createSealing(secret), limited, log: app.log });
    const secondStep = createSecondStep(db, { codes, passkeys, publicUrl: config.publicUrl });
    const parts = createProviderParts(config);
    const proofs = createProofs(db, { credentials, passkeys, config, provider: parts?.provider });
    const { isFromAllowedOrigin } = sessions;
    const mailWayIn = outbox ? createWayInMails(db, outbox, config) : () => undefined;
    app.decorate('accounts', { countsFailures: limited, proofs, outbox, mailWayIn, isFromAllowedOrigin });
    const parted = { config, credentials, sessions, openSession, secondStep, emailChange };
    await app.register(authRoutes, { prefix: '/api/auth', ...parted });
    await app.register(secondFactorRoutes, { prefix: '/api/auth', secondStep, openSession });
    await app.register(passkeyLoginRoutes, { prefix: '/api/auth', passkeys, openSession });
    await app.register(proofRoutes, { prefix: '/api/account/proof', proofs });
    await app.register(factorRoutes, { prefix: '/api/account/factors', config, codes, proofs });
    await app.register(passkeyRoutes, { prefix: '/api/account/passkeys', config, proofs });
    await app.register(providerRoutes, { prefix: '/api/auth/provider', config, parts, sessions, openSession, proofs });
    await app.register(inviteRoutes, { prefix: '/api/auth', config });
    await app.register(emailConfirmationRoutes, { prefix: '/api/auth', config });
    await app.register(signInOptions, { prefix: '/api/auth', config, sendsMail: outbox !== undefined });
    await app.register(passwordResetRoutes, { prefix: '/api/auth', config, outbox, limited });
    await app.register(accountMailRoutes, { prefix: '/api/account/mail', emailChange });
    await app.register(tokenRoutes, { prefix: '/api/account/tokens', config, proofs });
    await app.register(accountRoutes, { prefix: '/api/account', config, credentials, proofs, emailChange });
  },
  { name: 'auth', dependencies: ['database', 'images', 'background', 'security', 'limits'] },
);
