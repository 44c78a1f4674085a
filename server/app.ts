/** The whole server as a value: plugins, then features, in one visible order. It opens everything and closes everything. */
import { fileURLToPath } from 'node:url';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyRequest, type RouteOptions } from 'fastify';
import { albumPages } from './albums/public-pages.ts';
import { albumRoutes } from './albums/routes.ts';
import { accountRoutes } from './auth/account/routes.ts';
import { createEmailChange } from './auth/account-mail/email-change.ts';
import { createLoginMails } from './auth/account-mail/login-mails.ts';
import { dropDeadEmailChanges } from './auth/account-mail/queries.ts';
import { accountMailRoutes, emailConfirmationRoutes } from './auth/account-mail/routes.ts';
import { clearCookie } from './auth/cookie.ts';
import { createCredentials } from './auth/credentials.ts';
import { clearEnded } from './auth/expiry.ts';
import { guard } from './auth/guard.ts';
import { giveTokens, newSession } from './auth/new-session.ts';
import { hashNewPassword } from './auth/password/password-rules.ts';
import { dropDeadResets } from './auth/password-reset/queries.ts';
import { passwordResetRoutes } from './auth/password-reset/routes.ts';
import { changePassword, changeUser, renewSession } from './auth/queries.ts';
import { authRoutes } from './auth/routes.ts';
import { compareSecrets, keptSecret } from './auth/secret.ts';
import { tokens } from './auth/tokens.ts';
import { jobs } from './background/plugin.ts';
import type { Config } from './config/config.ts';
import type { ClientDatabase } from './database/connect.ts';
import type { Launched } from './database/embedded/launch.ts';
import { database } from './database/plugin.ts';
import { UNOWNED } from './database/process-registry.ts';
import { answerFirst, createHotLinks } from './delivery/hot-links.ts';
import { imageLinks } from './delivery/links.ts';
import { originalRoute } from './delivery/original-route.ts';
import { shareBuffers } from './delivery/streaming/stream-file.ts';
import { archiveRoutes } from './delivery/zip/routes.ts';
import { findShown } from './gallery/pages.ts';
import { galleryRoutes } from './gallery/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { client } from './http/client.ts';
import { errorHandler } from './http/error-handler.ts';
import { defaultDrain, gracefulShutdown } from './http/graceful-shutdown.ts';
import { host } from './http/host.ts';
import { connections } from './http/limits/connections.ts';
import { fairShare } from './http/limits/fair-share.ts';
import { defaultPace, minimumTransferRate } from './http/limits/minimum-transfer-rate.ts';
import { defaultPressure, type PressureLimits, pressure } from './http/limits/pressure.ts';
import { rateLimit } from './http/limits/rate-limit.ts';
import type { TurnLimits } from './http/limits/turns.ts';
import { linkOrigin } from './http/link-origin.ts';
import { requestLog } from './http/request-log.ts';
import { answerHeaders, redirectOrigins } from './http/response-headers.ts';
import { security } from './http/security.ts';
import { serverOptions } from './http/server-options.ts';
import { type ImageWorkOptions, openImageWork } from './image-work.ts';
import { imageAnswer } from './images/answer.ts';
import { createAccountDeletion } from './images/deletion/account-deletion.ts';
import { createDeletion } from './images/deletion/deletion.ts';
import { deleteAccount, deleteImage } from './images/deletion/queries.ts';
import { originalKey } from './images/keys.ts';
import { watchLinks } from './images/links/cached-links.ts';
import { withoutLinkKey, withoutLinkKeys } from './images/links/link-paths.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { showStored } from './ingest/show-stored.ts';
import { uploadRoutes } from './ingest/tus/routes.ts';
import { createMailer } from './mail/mailer.ts';
import { createOutbox } from './mail/outbox.ts';
import type { Metrics } from './monitoring/metrics-server.ts';
import { openMonitoring } from './monitoring/monitoring.ts';
import { ensureDataDir } from './storage/data-dir.ts';
import { storage } from './storage/plugin.ts';
import { shareOf } from './workers/share.ts';

/** From build/server/app.js: the page stands beside the server. */
const clientFolder = fileURLToPath(new URL('../client', import.meta.url));

export type AppOptions = ImageWorkOptions & {
  /** The embedded Postgres, where it was started before this was loaded. */
  launched?: Launched | undefined;
  /** Milliseconds that the requests in flight have to end at a stop. */
  stopWithin?: number;
  /** Where they differ from the usual ones. */
  drain?: Partial<typeof defaultDrain>;
  /** Milliseconds that a reader of an answer may go without taking a byte. */
  readWithin?: number;
  pace?: typeof defaultPace;
  /** Where they differ from the usual ones. */
  turns?: Partial<TurnLimits>;
  /** Where they differ from the usual ones. */
  pressure?: Partial<PressureLimits>;
  /** Sees each route as it is registered. */
  onRoute?: (route: RouteOptions) => void;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** What /metrics tells; undefined where METRICS_PORT is not set. */
    metrics: Metrics | undefined;
  }
}

/** @returns undefined where the server sends no mail */
function openOutbox(app: FastifyInstance, { smtpUrl: url, mailFrom: from, publicUrl: origin }: Config) {
  if (!url || !from || !origin) return undefined;
  const outbox = createOutbox({ mailer: createMailer({ url, from }), origin, log: app.log });
  app.onEnd('mails', outbox.close);
  return outbox;
}

export async function buildApp(config: Config, options: AppOptions = {}): Promise<FastifyInstance> {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  await ensureDataDir(dataDir);
  const app = Fastify(serverOptions(config, withoutLinkKeys));
  if (options.onRoute) app.addHook('onRoute', options.onRoute);
  const share = shareOf(config);
  shareBuffers(share.of);
  const monitoring = await openMonitoring({ config, log: app.log, share });
  try {
    // The first and, since hooks of the end run backwards, the last.
    app.addHook('onClose', monitoring.close);
    app.decorate('metrics', monitoring.metrics);
    await app.register(monitoring.requests, monitoring.requestOptions);
    await app.register(errorHandler);
    await app.register(requestLog, { clean: withoutLinkKey });
    await app.register(answerHeaders, { config });
    await app.register(connections, { max: share.maxConnections, proxies: config.trustProxy ?? [] });
    await app.register(gracefulShutdown, {
      deadline: options.stopWithin ?? 8_000,
      drain: { ...defaultDrain, ...options.drain },
    });
    await app.register(minimumTransferRate, {
      pace: options.pace ?? defaultPace,
      patience: options.readWithin ?? 30_000,
    });
    await app.register(host);
    await app.register(security, { config });
    await app.register(pressure, { limits: { ...defaultPressure(config.workers), ...options.pressure } });
    const place = { dataDir, databaseUrl, databaseDirectUrl, launched: options.launched };
    const { beginQuery } = monitoring;
    const pools = { poolSize: share.poolSize - share.listConnections, listConnections: share.listConnections };
    await app.register(database, { ...place, logger: app.log, ...pools, beginQuery });
    await app.register(storage, { config, originalKey, watch: monitoring.watchStorage });
    await app.register(jobs);
    await app.register(rateLimit, { enabled: config.rateLimit === 'on' });
    await app.register(fairShare, {
      shared: { given: app.lists.lists, slots: share.listConnections - 1 },
      reserved: { given: app.lists.reservedForLists, slots: 1 },
    });
    const secret = config.jwtSecret ?? (await keptSecret(dataDir));
    await compareSecrets(secret, app.presence, app.log);
    await app.register(tokens, { secret });
    await app.register(guard, { config, turns: options.turns });
    // A file over the limit is one refused file of the upload, not the end of it.
    await app.register(multipart, { throwFileSizeLimit: false });

    const { db, presence } = app;
    const quota = { images: config.quotaImages, bytes: config.quota };
    const swept = {
      'ended sessions': () => clearEnded(db),
      'links to new passwords': () => dropDeadResets(db),
      'links to confirm emails': () => dropDeadEmailChanges(db),
    };
    const work = await openImageWork(app, { config, options, monitoring, share, quota, secret, swept });
    const { admission, orphanedBlobs, delivery, ingest, uploads } = work;
    const links = watchLinks({ size: share.cacheSize, hear: app.subscribe });
    const hot = createHotLinks({
      links,
      hasRoom: app.hasRoom,
      keepAlive: app.server.keepAliveTimeout,
      behindProxy: config.trustProxy !== undefined,
      tallyOf: monitoring.tallyOf,
      log: ['info', 'debug', 'trace'].includes(config.logLevel) ? app.log : undefined,
      onUnfinished(response) {
        app.cutSlowReader(response);
        app.countInFlight(response);
      },
    });
    monitoring.watchCache(links.figures);
    const figures = monitoring.watchCollection(db);
    app.onStop(figures.close);
    const deletion = createDeletion({
      orphanedBlobs,
      deleteImage: (ownerId, id) => deleteImage(db, { ownerId, id, process: presence.number }),
      ...links,
    });

    const accountDeletion = createAccountDeletion({
      deleteAccount: (user) => app.databasePatiently((patient) => deleteAccount(patient, user, UNOWNED)),
      forgetAll: links.forgetAll,
      purge: app.purge,
    });
    const limited = config.rateLimit === 'on';
    const credentials = createCredentials(db, { limited });

    const outbox = openOutbox(app, config);

    await app.register(healthRoutes, { prefix: '/api/health' });
    const emailChange = outbox && createEmailChange(db, outbox, { limited });
    const noteLogin = outbox && createLoginMails(db, outbox, config);
    await app.register(authRoutes, { prefix: '/api/auth', config, credentials, noteLogin });
    await app.register(emailConfirmationRoutes, { prefix: '/api/auth' });
    await app.register(accountMailRoutes, { prefix: '/api/account/mail', emailChange });
    await app.register(accountRoutes, {
      prefix: '/api/account',
      confirm: credentials.confirm,
      hashNewPassword,
      changePassword: (user, passwordHash, request) =>
        changePassword(db, user, { passwordHash, sessionId: request.sessionId, start: newSession(request) }),
      renewSession: (user, request) =>
        renewSession(db, user, { sessionId: request.sessionId, start: newSession(request) }),
      requestEmail: emailChange?.request,
      giveTokens: (request, reply, session) => giveTokens(app, { request, reply, config }, session),
      deleteAccount: accountDeletion,
      clearCookie: (request, reply) => clearCookie(request, reply, config.publicUrl),
    });
    const { abuseContact } = config;
    await app.register(passwordResetRoutes, {
      prefix: '/api/auth',
      outbox,
      abuseContact,
      limited,
      hashNewPassword,
      changeUser,
    });
    await app.register(ingestRoutes, { prefix: '/api/images', config, quota, ingest, admission });
    await app.register(galleryRoutes, { prefix: '/api/images', config, quota, deletion, forget: links.forget });
    await app.register(originalRoute, { prefix: '/api/images', delivery });
    await app.register(archiveRoutes, { prefix: '/api/images', delivery });
    const showImage = showStored(db, config);
    await app.register(uploadRoutes, { prefix: '/api/uploads', uploads, admit: admission.enter, showImage });
    const strip = config.stripLocation === 'on';
    const albums = {
      pageSize: config.pageSize,
      originOf: (request: FastifyRequest) => linkOrigin(request, config.publicUrl),
      showImages: async (from: ClientDatabase, ownerId: string, ids: string[], origin: string) =>
        (await findShown(from, ownerId, ids)).map((row) =>
          imageAnswer(row, origin && (config.cdnUrl ?? origin), strip),
        ),
    };
    await app.register(albumRoutes, { prefix: '/api/albums', ...albums });
    await app.register(albumPages, { ...albums, redirectOrigins: redirectOrigins(config), abuseContact });
    const redirect = config.linkMode === 'redirect' ? app.storage.link : undefined;
    await app.register(imageLinks, { delivery, links, hot, redirect, shared: config.cdnUrl !== undefined });
    await app.register(client, { folder: clientFolder });
    await app.ready();
    answerFirst(app.server, hot);
    return app;
  } catch (error) {
    // What was opened before the failure is closed, so that a start that fails leaves nothing running.
    await app.close();
    throw error;
  }
}
