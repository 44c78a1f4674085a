/** The OpenAPI document of all routes that programs call, from the routes' own schemas. */
import swagger from '@fastify/swagger';
import Fastify, { type FastifySchema, type RouteOptions } from 'fastify';
import { isForPrograms } from '../http/scopes.ts';
import { withComponents } from './components.ts';
import { asJson, type JsonObject, sortedByKey } from './json.ts';
import { operationOf, tags } from './operation.ts';

const description = `A self-hosted home for pictures.

- \`x-scopes\` of an operation names the scopes of which an API token needs one. It is \`session\` if only a session may call
  the operation, and \`none\` if anyone may.
- Every refusal is JSON: \`{statusCode, code, error, message}\`. Decide by \`code\`.
- Answers may get further fields, and refusals further codes. A program must ignore fields that it does not know.
- Every \`GET\` route also answers \`HEAD\`.
- An address that is no valid URL gets 400 \`FST_ERR_BAD_URL\`, one with a parameter of more than 100 characters 414.
- A request that is no valid HTTP gets 400 \`BAD_REQUEST\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`.`;

const base = {
  openapi: '3.1.0',
  info: {
    title: 'Encryption Gallery',
    description,
    version: '1',
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The administrator of this server' },
  },
  servers: [{ url: '/', description: 'this server' }],
  tags: tags.map(({ name, description }) => ({ name, description })),
  components: {
    securitySchemes: {
      apiToken: { type: 'http' as const, scheme: 'bearer', description: 'an API token' },
      apiKey: { type: 'apiKey' as const, in: 'header', name: 'X-API-Key', description: 'an API token' },
      session: { type: 'http' as const, scheme: 'bearer', description: 'the `access_token` of a login' },
      cookie: {
        type: 'apiKey' as const,
        in: 'cookie',
        name: 'session',
        description: 'the cookie of a login; over https its name is `__Host-session`. Needs an allowed origin.',
      },
    },
  },
};

/** The plugin gives every HEAD route another name. */
const named = (schema: FastifySchema): FastifySchema => ({
  ...schema,
  ...(schema.operationId ? { operationId: schema.operationId.replace(/-head$/, '') } : {}),
});

type Call = { route: RouteOptions; method: string };

/** Each operation once. Fastify adds a HEAD route to each GET route; only the one with another operationId is listed. */
function callsOf(routes: RouteOptions[]): Call[] {
  const all = routes.flatMap((route) => [route.method].flat().map((method) => ({ route, method })));
  const known = new Set<string | undefined>();
  const isNew = ({ route: { schema }, method }: Call) => method !== 'HEAD' || !known.has(schema?.operationId);
  for (const { route, method } of all) if (method === 'GET') known.add(route.schema?.operationId);
  return all.filter(isNew);
}

/** @param routes of a whole server, as its onRoute hook received them */
export async function documentOf(routes: RouteOptions[]): Promise<JsonObject> {
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: base,
    exposeHeadRoutes: true,
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({ url, schema: operationOf({ ...route, schema: named(schema) }) }),
  });
  for (const { route, method } of callsOf(routes.filter(({ url }) => isForPrograms(url)))) {
    const { url, schema = {}, config = {} } = route;
    app.route({ method, url, schema, config, handler: () => undefined });
  }
  await app.ready();
  const document = asJson(app.swagger()) as JsonObject;
  return withComponents({ ...document, paths: sortedByKey(document.paths as JsonObject) });
}
