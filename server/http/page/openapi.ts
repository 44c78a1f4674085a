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
    // API consoles on any origin read it: it holds nothing private. Allowed origins keep their own header (security.ts).
    const shared = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
    const send = serveFile({ text, type: 'application/json; charset=utf-8', etag });
    app.get('/api/openapi.json', reading, (request, reply) => {
      if (!reply.hasHeader('access-control-allow-origin')) reply.headers(shared);
      return send(request, reply);
    });
  },
  { name: 'openapi' },
);
