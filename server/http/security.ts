/** CORS and cookies. */
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';

export const security = fp<{ config: Config }>(
  async (app, { config }) => {
    await app.register(cors, {
      // A wildcard with credentials would open every session to every site.
      origin: config.corsOrigin.length > 0 ? [...config.corsOrigin] : false,
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: [
        ...['authorization', 'content-type', 'prefer'],
        ...['tus-resumable', 'upload-keys', 'upload-length', 'upload-metadata', 'upload-offset'],
      ],
      exposedHeaders: [
        ...['retry-after', 'location', 'x-request-id'],
        ...['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'preference-applied'],
        ...['upload-expires', 'upload-length', 'upload-metadata', 'upload-offset'],
      ],
      maxAge: 600,
    });
    await app.register(cookie);
    // A form of another site may post text/plain without a preflight; no route accepts it.
    app.removeContentTypeParser('text/plain');
  },
  { name: 'security' },
);
