/** The whole server as a value: every plugin in one visible order. It opens everything and closes everything. */
import { admin } from './admin/plugin.ts';
import { albums } from './albums/plugin.ts';
import type { AppOptions } from './app-options.ts';
import { auth } from './auth/plugin.ts';
import { keptSecret } from './auth/secret.ts';
import { background } from './background/plugin.ts';
import { collect } from './collect/plugin.ts';
import type { Config } from './config/config.ts';
import { shareOf } from './config/share.ts';
import { database } from './database/plugin.ts';
import { decoder } from './decoder/plugin.ts';
import { deleteLinks } from './delete-links/plugin.ts';
import { delivery } from './delivery/plugin.ts';
import { gallery } from './gallery/plugin.ts';
import { http, limits, page } from './http/plugin.ts';
import { createServer } from './http/server-options.ts';
import { originalKey } from './images/keys.ts';
import { withoutLinkKey, withoutLinkKeys } from './images/links/link-paths.ts';
import { images } from './images/plugin.ts';
import { ingest } from './ingest/plugin.ts';
import { monitoring } from './monitoring/plugin.ts';
import { renditions } from './renditions/plugin.ts';
import { shares } from './shares/plugin.ts';
import { stableLinks } from './stable-links/plugin.ts';
import { storage } from './storage/plugin.ts';

/** Of build/server/app.js: the page and the command line client are beside the server. */
const build = `${import.meta.dirname}/..`;
const clientFolder = `${build}/client`;
const adminFile = `${build}/program/admin.js`;
const cliFile = `${build}/cli/gallery.mjs`;
const openapiFile = `${import.meta.dirname}/openapi.json`;

/** @param config its data folder exists (workers/server.ts creates it) */
export async function buildApp(config: Config, options: AppOptions = {}) {
  const app = createServer(config, withoutLinkKeys);
  if (options.onRoute) app.addHook('onRoute', options.onRoute);
  const share = shareOf(config);
  const { isFirstWorker = true, announcesClaim = isFirstWorker, turns, idleAfter, decodeWithin } = options;
  try {
    await app.register(monitoring, { config, share });
    await app.register(http, { config, maxConnections: share.maxConnections, redact: withoutLinkKey, options });
    await app.register(database, { config, share, launched: options.launched });
    await app.register(storage, { config, originalKey, isFirstWorker });
    await app.register(images, { cacheSize: share.cacheSize });
    await app.register(background);
    await app.register(limits, { rateLimited: config.rateLimit === 'on', listConnections: share.listConnections });
    const secret = config.jwtSecret ?? (await keptSecret(config.dataDir));
    await app.register(auth, { config, secret, turns, isFirstWorker, announcesClaim });
    await app.register(decoder, { config, share, decodeWithin, pool: options.decoder });
    await app.register(renditions, { ahead: config.renditionsAhead === 'on', idleAfter });
    await app.register(delivery, { config, share, secret, clientFolder });
    await app.register(ingest, { config, share, secret, limits: options.admission });
    await app.register(gallery, { config });
    await app.register(albums, { config, clientFolder });
    await app.register(shares, { config, secret, clientFolder });
    await app.register(collect, { config, secret });
    await app.register(deleteLinks, { config, clientFolder });
    await app.register(stableLinks, { config, clientFolder });
    await app.register(admin, { config, program: adminFile });
    await app.register(page, { folder: clientFolder, cliFile, openapiFile });
    await app.ready();
    return app;
  } catch (error) {
    // Closes what was opened, so that a failed start leaves nothing running.
    await app.close();
    throw error;
  }
}
