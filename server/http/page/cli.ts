/** Serves the command line client (cli/), and its SHA-256 in the format of sha256sum. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { NotFound } from '../../errors.ts';

const path = '/cli/gallery.mjs';

type Served = { text: Buffer | string; type: string; etag: string };

const missing = () =>
  new NotFound('This server was built without its command line client. Run "npm run build" and restart the server.');

export const cli = fp<{ file: string }>(
  async (app, { file }) => {
    const program = existsSync(file) ? readFileSync(file) : undefined;
    const sha256 = program && createHash('sha256').update(program).digest('hex');

    /** A download is compared with its checksum, so neither may be an outdated copy. */
    const serve = (served: Served | undefined) => (request: FastifyRequest, reply: FastifyReply) => {
      if (!served) throw missing();
      const { text, type, etag } = served;
      reply.headers({ 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(type).send(text);
    };

    const etag = `"${sha256}"`;
    app.get(path, serve(program && { text: program, type: 'text/javascript; charset=utf-8', etag }));
    const line = { text: `${sha256}  ${basename(path)}\n`, type: 'text/plain; charset=utf-8', etag };
    app.get(`${path}.sha256`, serve(program && line));
  },
  { name: 'cli' },
);
