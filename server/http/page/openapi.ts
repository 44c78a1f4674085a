/** Serves the OpenAPI document. `npm run generate:openapi` writes it from the routes (openapi/). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fp from 'fastify-plugin';
import { withoutLogin } from '../scopes.ts';
import { serveFile } from './serve-file.ts';

export const openapi = fp<{ file: string }>(
  async (app, { file }) => {
    const text = readFileSync(file);
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    const reading = {
      config: withoutLogin,
      schema: { operationId: 'getOpenApi', summary: 'Read the OpenAPI document' },
    };
    const served = { text, type: 'application/json; charset=utf-8', etag };
    app.get('/api/openapi.json', reading, serveFile(served));
  },
  { name: 'openapi' },
);
