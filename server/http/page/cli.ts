/** Serves the command line client (cli/), and its SHA-256 in the format of sha256sum. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fp from 'fastify-plugin';
import { NotFound } from '../../errors.ts';
import { serveFile } from './serve-file.ts';

const path = '/cli/gallery.mjs';

const missing = () => {
  throw new NotFound(
    'This server was built without its command line client. Run "npm run build" and restart the server.',
  );
};

export const cli = fp<{ file: string }>(
  async (app, { file }) => {
    if (!existsSync(file)) {
      for (const url of [path, `${path}.sha256`]) app.get(url, missing);
      return;
    }
    const program = readFileSync(file);
    const sha256 = createHash('sha256').update(program).digest('hex');
    // A download is compared with its checksum, so neither may be an outdated copy.
    const etag = `"${sha256}"`;
    app.get(path, serveFile({ text: program, type: 'text/javascript; charset=utf-8', etag }));
    const line = `${sha256}  ${basename(path)}\n`;
    app.get(`${path}.sha256`, serveFile({ text: line, type: 'text/plain; charset=utf-8', etag }));
  },
  { name: 'cli' },
);
