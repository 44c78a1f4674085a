/** The built page: its files, and the page itself for every path that is not a call. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { answerMissing } from './error-handler.ts';

/** The client's own routes (client/app.tsx); on any other path the same page says 404, with that status. */
const screens = /^\/(?:login|register|dashboard(?:\/(?:upload|images|video)?)?)?$/;

const wantsPage = ({ method, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !/^\/(?:api|i)(?:[/?]|$)/.test(url);

const isScreen = (url: string) => screens.test(url.split('?')[0] ?? '');

export const client = fp<{ folder: string }>(
  async (app, { folder }) => {
    if (!existsSync(join(folder, 'index.html'))) {
      app.log.warn('the page is not built; only the calls are served');
      app.setNotFoundHandler(answerMissing);
      return;
    }
    const assets = join(folder, 'assets', '/');
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const named = path.startsWith(assets);
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });

    app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
      if (!wantsPage(request)) return answerMissing(request, reply);
      reply.code(isScreen(request.url) ? 200 : 404).header('cache-control', 'no-cache');
      return reply.sendFile('index.html');
    });
  },
  { name: 'client' },
);
