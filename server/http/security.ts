import cookie from '@fastify/cookie';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';

const corsOptions = (origins: readonly string[]): FastifyCorsOptions => ({
  // A wildcard with credentials would open every session to every site.
  origin: [...origins],
  credentials: true,
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    ...['authorization', 'content-type', 'prefer', 'x-api-key', 'x-http-method-override'],
    ...['tus-resumable', 'upload-keys', 'upload-length', 'upload-metadata', 'upload-offset'],
  ],
  exposedHeaders: [
    ...['retry-after', 'location', 'x-request-id'],
    ...['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'preference-applied'],
    ...['upload-expires', 'upload-length', 'upload-metadata', 'upload-offset'],
  ],
  maxAge: 600,
});

export const security = fp<{ config: Config }>(
  async (app, { config }) => {
    if (config.corsOrigin.length > 0) await app.register(cors, corsOptions(config.corsOrigin));
    await app.register(cookie);
    // A form of another site may post text/plain without a preflight; no route accepts it.
    app.removeContentTypeParser('text/plain');
  },
  { name: 'security' },
);
