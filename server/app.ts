/** The whole server as a value: plugins, then features, in one visible order. It opens everything and closes everything. */
import { fileURLToPath } from 'node:url';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { albumPages } from './albums/public-pages.ts';
import { albumRoutes } from './albums/routes.ts';
import { clearCookie } from './auth/cookie.ts';
import { createCredentials } from './auth/credentials.ts';
import { clearEnded } from './auth/expiry.ts';
import { guard } from './auth/guard.ts';
import { hashPassword } from './auth/passwords.ts';
import { changePassword, changeUser } from './auth/queries.ts';
import { authRoutes } from './auth/routes.ts';
import { compareSecrets, keptSecret } from './auth/secret.ts';
import { tokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import type { Launched } from './database/launch.ts';
import { nobody } from './database/presence.ts';
import { healthRoutes } from './health/routes.ts';
import { createAccountDeletion } from './images/account-deletion.ts';
import { admissionOf, createAdmission, type usualAdmission } from './images/admission.ts';
import { imageAnswer, linkOrigin } from './images/answer.ts';
import { archiveRoutes } from './images/archive-routes.ts';
import { imageAlike } from './images/content-queries.ts';
import { decodeLimits, LIGHT, MEMORY_BUDGET } from './images/decoder/limits.ts';
import { createDecoderPool, type DecoderPool } from './images/decoder/pool.ts';
import { withKnownFailures } from './images/decoding.ts';
import { createDeletion } from './images/deletion.ts';
import { deleteAccount, deleteImage } from './images/deletion-queries.ts';
import { createDelivery } from './images/delivery.ts';
import { cleanFilename } from './images/filename.ts';
import { answerFirst, createHotLinks } from './images/hot-links.ts';
import { createIngest } from './images/ingest.ts';
import { insertImages, insertLoose } from './images/insertion-queries.ts';
import { createJudging } from './images/judging.ts';
import { watchLinks } from './images/kept-links.ts';
import { dueBeside, findDue } from './images/late-queries.ts';
import { withoutLinkKey } from './images/link-paths.ts';
import { imageLinks } from './images/links.ts';
import { createLooseBytes } from './images/loose-bytes.ts';
import { createLooseQueries } from './images/loose-queries.ts';
import { findShown } from './images/pages.ts';
import { shareChunks } from './images/pump.ts';
import { createQuiet } from './images/quiet.ts';
import { noRoomFor } from './images/quota.ts';
import { createRenditionsBehind } from './images/renditions-behind.ts';
import { imageRoutes } from './images/routes.ts';
import { showStored } from './images/show-stored.ts';
import { createTakeFile } from './images/single-upload.ts';
import { sweeping } from './images/sweeping.ts';
import type { Metrics } from './monitoring/metrics-server.ts';
import { openMonitoring } from './monitoring/monitoring.ts';
import { createMailer } from './password-reset/mailer.ts';
import { dropDeadResets } from './password-reset/queries.ts';
import { passwordResetRoutes } from './password-reset/routes.ts';
import { answerHeaders, redirectOrigins } from './plugins/answer-headers.ts';
import { client } from './plugins/client.ts';
import { closing } from './plugins/closing.ts';
import { connections } from './plugins/connections.ts';
import { database } from './plugins/database.ts';
import { errorHandler } from './plugins/error-handler.ts';
import { host } from './plugins/host.ts';
import { jobs } from './plugins/jobs.ts';
import { type PressureLimits, pressure, usualPressure } from './plugins/pressure.ts';
import { requestLog } from './plugins/request-log.ts';
import { security } from './plugins/security.ts';
import { slowBodies, usualPace } from './plugins/slow-bodies.ts';
import { storage } from './plugins/storage.ts';
import { rateLimit } from './rate-limit/plugin.ts';
import { serverOptions } from './server-options.ts';
import { ensureDataDir } from './storage/data-dir.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { createUploads } from './uploads/uploads.ts';
import { shareOf } from './workers/share.ts';

/** From build/server/app.js: the page stands beside the server. */
const clientFolder = fileURLToPath(new URL('../client', import.meta.url));

export type AppOptions = {
  /** The embedded Postgres, where it was started before this was loaded. */
  launched?: Launched | undefined;
  /** Milliseconds that the requests in flight have to end at a stop. */
  stopWithin?: number;
  /** Milliseconds without a picture to decode after which renditions are made ahead. */
  quietAfter?: number;
  /** Milliseconds for decoding one picture. */
  decodeWithin?: number;
  /** Instead of the pool of decoding processes: what measures the way of the bytes alone. */
  decoder?: DecoderPool;
  /** Told the path of each file that the decoder takes up. */
  onDecode?: (path: string) => void;
  /** Milliseconds that a reader of an answer may go without taking a byte. */
  readWithin?: number;
  pace?: typeof usualPace;
  /** Where they differ from the usual ones. */
  pressure?: Partial<PressureLimits>;
  admission?: Partial<typeof usualAdmission>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** What /metrics tells; undefined where METRICS_PORT is not set. */
    metrics: Metrics | undefined;
  }
}

export async function buildApp(config: Config, options: AppOptions = {}): Promise<FastifyInstance> {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  await ensureDataDir(dataDir);
  const app = Fastify(serverOptions(config));
  const share = shareOf(config);
  shareChunks(share.of);
  const monitoring = await openMonitoring(config, app.log, share.poolSize);
  try {
    // The first and, since hooks of the end run backwards, the last.
    app.addHook('onClose', monitoring.close);
    app.decorate('metrics', monitoring.metrics);
    await app.register(monitoring.requests, monitoring.requestOptions);
    await app.register(errorHandler);
    await app.register(requestLog, { clean: withoutLinkKey });
    await app.register(answerHeaders, { config });
    await app.register(connections, { max: share.maxConnections, proxies: config.trustProxy ?? [] });
    await app.register(closing, { deadline: options.stopWithin ?? 8_000 });
    await app.register(slowBodies, { pace: options.pace ?? usualPace, patience: options.readWithin ?? 30_000 });
    await app.register(host);
    await app.register(security, { config });
    await app.register(pressure, { limits: { ...usualPressure(config.workers), ...options.pressure } });
    const place = { dataDir, databaseUrl, databaseDirectUrl, launched: options.launched };
    const { beginQuery } = monitoring;
    await app.register(database, { ...place, logger: app.log, poolSize: share.poolSize, beginQuery });
    await app.register(storage, { config, watch: monitoring.watchStorage });
    await app.register(jobs);
    await app.register(rateLimit, { enabled: config.rateLimit === 'on' });
    const secret = config.jwtSecret ?? (await keptSecret(dataDir));
    await compareSecrets(secret, app.presence, app.log);
    await app.register(tokens, { secret });
    await app.register(guard, { config });
    // A file over the limit is one refused file of the upload, not the end of it.
    await app.register(multipart, { throwFileSizeLimit: false });

    const admission = createAdmission({ ...admissionOf(share.of), ...options.admission });
    const limits = decodeLimits(config.maxPixels, options.decodeWithin);
    const pool = { limits, workers: share.decoders, memory: share.of(MEMORY_BUDGET, LIGHT) };
    const quiet = createQuiet(options.quietAfter ?? 2_000);
    const decoder = quiet.watch(
      withKnownFailures(
        monitoring.watchDecoder('asked', (started) => {
          const onStart = (path: string) => {
            started(path);
            options.onDecode?.(path);
          };
          return options.decoder ?? createDecoderPool({ ...pool, onStart });
        }),
      ),
    );
    // As many processes as one, at the lowest priority: nobody waits for it.
    const decoderBehind = withKnownFailures(
      monitoring.watchDecoder('behind', (onStart) =>
        createDecoderPool({ ...pool, workers: 1, nice: 19, breakOff: true, idleMs: 1_000, onStart }),
      ),
    );
    const { db, presence } = app;
    const looseBytes = createLooseBytes({
      storage: app.storage,
      queries: createLooseQueries(db, presence.number),
      isAlive: presence.isAlive,
      log: app.log,
    });
    const strip = config.stripLocation === 'on';
    const delivery = createDelivery({ db, storage: app.storage, decoder, looseBytes, log: app.log, strip });
    app.addHook('onClose', () => delivery.renditions.settled());
    const behind =
      config.renditionsAhead === 'on'
        ? createRenditionsBehind({
            quiet,
            jobs: app.jobs,
            findDue: (content) => findDue(db, content),
            dueBeside: (most) => dueBeside(db, most),
            make: (row, signal) => delivery.makeBehind(row, decoderBehind, signal),
          })
        : undefined;
    app.addHook('preClose', async () => quiet.close());
    app.addHook('onClose', () => decoderBehind.close());
    const quota = { images: config.quotaImages, bytes: config.quota };
    const judging = createJudging({
      decoder: admission.count(decoder),
      digests: delivery.digests,
      imageAlike: imageAlike.bind(undefined, db),
    });
    const ingest = createIngest(
      monitoring.watchIngest({
        storage: app.storage,
        judging,
        looseBytes,
        insertLoose: (contents) => insertLoose(db, contents, presence.number),
        async insertImages(ownerId, images, judged, alongside) {
          const upload = { ownerId, images, judged, process: presence.number, quota, alongside };
          const inserted = await insertImages(db, upload);
          monitoring.outside(() => void behind?.queue(inserted.stored));
          return inserted;
        },
      }),
    );
    const uploads = createUploads({
      db,
      partials: app.storage.partials,
      takeFile: createTakeFile(ingest, quota),
      cleanName: (sent) => cleanFilename(sent, ''),
      noRoomFor: (size, held) => noRoomFor(size, held, quota),
      maxFileSize: config.maxFileSize,
    });
    const shared = {
      'ended sessions': () => clearEnded(db),
      'links to new passwords': () => dropDeadResets(db),
      'renditions that are due': async () => behind?.findLost(),
    };
    await app.register(sweeping, { looseBytes, sweepUploads: uploads.sweep, shared });
    app.addHook('onClose', () => uploads.settled());
    // Hooks run last one first: what is still decoded is broken off, not waited for.
    app.addHook('onClose', () => decoder.close());
    const links = watchLinks({ size: share.cacheSize, hear: app.hearNotices });
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
    monitoring.watchCollection({ db, storage: app.storage });
    const deletion = createDeletion({
      looseBytes,
      deleteImage: (ownerId, id) => deleteImage(db, { ownerId, id, process: presence.number }),
      ...links,
    });

    const accountDeletion = createAccountDeletion({
      deleteAccount: (user) => app.databasePatiently((patient) => deleteAccount(patient, user, nobody)),
      forgetAll: links.forgetAll,
      purge: app.purge,
    });
    const limited = config.rateLimit === 'on';
    const credentials = createCredentials(db, { limited });

    await app.register(healthRoutes, { prefix: '/api/health' });
    await app.register(authRoutes, { prefix: '/api/auth', config, credentials });
    await app.register(accountRoutes, {
      prefix: '/api/account',
      confirm: credentials.confirm,
      hashPassword,
      changePassword: (user, change) => changePassword(db, user, change),
      deleteAccount: accountDeletion,
      clearCookie: (request, reply) => clearCookie(request, reply, config.publicUrl),
    });
    const { smtpUrl: url, mailFrom: from, publicUrl: origin } = config;
    const mail = url && from && origin ? { mailer: createMailer({ url, from }), origin } : undefined;
    await app.register(passwordResetRoutes, { prefix: '/api/auth', mail, limited, hashPassword, changeUser });
    const images = { config, quota, ingest, deletion, admission, delivery, forget: links.forget };
    await app.register(imageRoutes, { prefix: '/api/images', ...images });
    await app.register(archiveRoutes, { prefix: '/api/images', delivery });
    const showImage = showStored(db, config);
    await app.register(uploadRoutes, { prefix: '/api/uploads', uploads, admit: admission.enter, showImage });
    const albums = {
      pageSize: config.pageSize,
      originOf: (request: FastifyRequest) => linkOrigin(request, config.publicUrl),
      showImages: async (ownerId: string, ids: string[], origin: string) =>
        (await findShown(db, ownerId, ids)).map((row) => imageAnswer(row, origin && (config.cdnUrl ?? origin), strip)),
    };
    await app.register(albumRoutes, { prefix: '/api/albums', ...albums });
    await app.register(albumPages, { ...albums, redirectOrigins: redirectOrigins(config) });
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
