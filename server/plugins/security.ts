/** Headers and origins: what a browser may do with our answers, and who may call. */
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';

const year = 31_536_000;

/** The page's Content-Security-Policy. Styles may be inline: toasts and dialogs bring theirs at run time. */
function pagePolicy(publicUrl: string | undefined) {
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...(publicUrl ? [publicUrl] : [])],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", ...(publicUrl ? [publicUrl] : [])],
    // Any pasted link may play, but only over the web's own schemes.
    frameSrc: ['http:', 'https:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  };
}

export const security = fp<{ config: Config }>(
  async (app, { config }) => {
    await app.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: pagePolicy(config.publicUrl) },
      // Told only by those who are reached by https: on a plain http home network it would lock people out.
      strictTransportSecurity: config.publicUrl?.startsWith('https:') ? { maxAge: year } : false,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      frameguard: { action: 'deny' },
    });
    await app.register(cors, {
      // Only what is listed; a wildcard beside credentials would open every session to every site.
      origin: config.corsOrigin.length > 0 ? [...config.corsOrigin] : false,
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type'],
      maxAge: 600,
    });
    await app.register(cookie);
    // A form of another site may post text/plain without asking first; no call takes it.
    app.removeContentTypeParser('text/plain');
  },
  { name: 'security' },
);
