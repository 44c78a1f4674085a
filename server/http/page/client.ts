/** Serves the built client: its files, and the page for every path outside the API. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { validate as isUuid } from 'uuid';
import { answerMissing } from '../errors/error-handler.ts';
import { ignoreBodies } from '../ignore-bodies.ts';
import type { Html } from './html.ts';

/** The paths of the client's routes, as its build wrote them (client/boot-plugin.ts). Any other path gets the page with status 404. */
function readScreens(folder: string): (url: string) => boolean {
  const patterns = JSON.parse(readFileSync(join(folder, '.vite/paths.json'), 'utf8')) as string[];
  const screens = patterns.map((pattern) => new RegExp(pattern, 'i'));
  return (url) => screens.some((screen) => screen.test(url.split('?')[0] ?? ''));
}

/** The installed app's share target (client/public/manifest.webmanifest). */
const share = '/share';
const uploadPage = '/dashboard/upload';
const missedShare = `${uploadPage}?share=missed`;

/** Whether a share came from the device or from this site. Browsers send this header only to the server, not to the service worker. */
const isOwnShare = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'none' || headers['sec-fetch-site'] === 'same-origin';

const wantsPage = ({ method, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !/^\/(?:api|i)(?:[/?]|$)/.test(url);

/** CSP hashes of the page's inline scripts (client/boot.js), so that no other inline script runs. */
function inlineScripts(page: string): string {
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
  return scripts.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`).join('');
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends the client's page with a title and what else programs read in its head; undefined if the client is not built. */
    sendClientPage?: (reply: FastifyReply, head: Html) => FastifyReply;
  }
}

export const client = fp<{ folder: string }>(
  async (app, { folder }) => {
    const page = join(folder, 'index.html');
    if (!existsSync(page)) {
      app.log.warn('the web client is not built, serving only the API');
      app.setNotFoundHandler(answerMissing);
      return;
    }
    const assets = join(folder, 'assets', '/');
    const isScreen = readScreens(folder);
    const text = readFileSync(page, 'utf8');
    const scripts = inlineScripts(text);
    const letScriptsRun = (reply: FastifyReply) => {
      const policy = reply.getHeader('content-security-policy');
      if (typeof policy !== 'string') return;
      reply.header(
        'content-security-policy',
        policy.replace("script-src 'self'", (rule) => rule + scripts),
      );
    };
    app.decorate('sendClientPage', (reply, { html }) => {
      letScriptsRun(reply);
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8');
      return reply.send(text.replace(/<title>.*?<\/title>/s, () => html));
    });
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      cacheControl: false,
      // The build writes the compressed copies (scripts/precompress.mjs).
      preCompressed: true,
      globIgnore: ['**/*.{br,gz}'],
      setHeaders: (reply, path) => {
        const named = path.startsWith(assets);
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (path.startsWith(page)) letScriptsRun(reply);
      },
    });

    // The service worker handles shares. Without it the pictures arrive here unauthenticated, so they are discarded.
    await app.register(async (scope) => {
      ignoreBodies(scope);
      scope.post(share, (_request, reply) => reply.header('cache-control', 'no-store').redirect(missedShare, 303));
    });

    app.get<{ Querystring: { kept?: unknown } }>(share, (request, reply) => {
      const { kept } = request.query;
      const isTaken = isOwnShare(request) && typeof kept === 'string' && isUuid(kept);
      return reply
        .header('cache-control', 'no-store')
        .redirect(isTaken ? `${uploadPage}?share=${kept}` : missedShare, 303);
    });

    app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
      if (!wantsPage(request)) return answerMissing(request, reply);
      const isFound = isScreen(request.url);
      reply.code(isFound ? 200 : 404).header('cache-control', 'no-cache');
      // A range is of what was requested, which this is not.
      return reply.sendFile('index.html', { acceptRanges: isFound });
    });
  },
  { name: 'client' },
);
