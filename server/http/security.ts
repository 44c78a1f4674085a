/** Who may call: the origins of pages, and what they may send. */
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';

export const security = fp<{ config: Config }>(
  async (app, { config }) => {
    await app.register(cors, {
      // Only what is listed; a wildcard beside credentials would open every session to every site.
      origin: config.corsOrigin.length > 0 ? [...config.corsOrigin] : false,
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: [
        ...['authorization', 'content-type', 'prefer'],
        ...['tus-resumable', 'upload-keys', 'upload-length', 'upload-metadata', 'upload-offset'],
      ],
      // A client of another host is told, too, how long to wait, and how far an upload in pieces has come.
      exposedHeaders: [
        ...['retry-after', 'location', 'x-request-id'],
        ...['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'preference-applied'],
        ...['upload-expires', 'upload-length', 'upload-metadata', 'upload-offset'],
      ],
      maxAge: 600,
    });
    await app.register(cookie);
    // A form of another site may post text/plain without asking first; no call takes it.
    app.removeContentTypeParser('text/plain');
  },
  { name: 'security' },
);
