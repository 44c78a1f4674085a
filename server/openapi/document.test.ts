import { readFileSync } from 'node:fs';
import Fastify, { type RouteOptions } from 'fastify';
import t from 'tap';
import { declaredScopes, withoutLogin } from '../http/scopes.ts';
import { buildTestApp } from '../testing/app.ts';
import { additions } from './additions.ts';
import { brokenPromises } from './compatibility.ts';
import { documentOf } from './document.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

const committed = JSON.parse(readFileSync('server/openapi/openapi.json', 'utf8')) as JsonObject;

const routes: RouteOptions[] = [];
const app = await buildTestApp(t, { options: { onRoute: (route) => routes.push(route) } });
const document = await documentOf(routes);

const operations = Object.values(document.paths as JsonObject).flatMap((item) =>
  Object.values(item as JsonObject),
) as JsonObject[];

t.test('the committed document is that of the routes', async (t) => {
  t.same(brokenPromises(committed, document), [], 'the routes keep what the committed document promises');
  t.strictSame(document, committed, 'it is up to date; otherwise run "npm run generate:openapi"');
});

t.test('every operation has its own operationId, says who may call it and how it is refused', async (t) => {
  t.ok(operations.length > 60, `${operations.length} operations`);
  const ids = operations.map(({ operationId }) => operationId);
  t.equal(new Set(ids).size, ids.length);
  for (const operation of operations) {
    t.ok(operation['x-scopes'], `${operation.operationId} has x-scopes`);
    t.ok(isObject(operation.responses) && '500' in operation.responses, `${operation.operationId} names refusals`);
  }
  const unknown = Object.keys(additions).filter((id) => !ids.includes(id));
  t.same(unknown, [], 'additions.ts names only operations');
});

t.test('every component has a name of which generators can make a type and a file', async (t) => {
  const { schemas, responses } = document.components as Record<'schemas' | 'responses', JsonObject>;
  const names = [...Object.keys(schemas), ...Object.keys(responses)];
  t.same(
    names.filter((name) => !/^[A-Za-z]\w{0,79}$/.test(name)),
    [],
  );
  t.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length, 'in any case');
});

t.test('an address that is no valid URL, and one that is too long, are refused as the document says', async (t) => {
  const operation = operations.find(({ operationId }) => operationId === 'getImage');
  const { responses } = document.components as Record<string, Record<string, { description: string }>>;
  for (const [url, status, code] of [
    ['/api/images/%ff', 400, 'FST_ERR_BAD_URL'],
    [`/api/images/${'a'.repeat(600)}`, 414, 'FST_ERR_MAX_PARAM_LENGTH'],
  ] as const) {
    const answer = await app.inject(url);
    t.match([answer.statusCode, answer.json().code], [status, code]);
    const { [status]: refusal } = (operation?.responses ?? {}) as Record<number, { $ref: string }>;
    t.match(responses?.[refusal?.$ref.split('/').at(-1) ?? '']?.description, code);
  }
});

/** The places of schemas that accept anything. */
function vague(node: Json, place: string): string[] {
  if (Array.isArray(node)) return node.flatMap((child, index) => vague(child, `${place}/${index}`));
  if (!isObject(node)) return [];
  const { schema } = node;
  const isVague = isObject(schema) && !['type', '$ref', 'const', 'enum', 'anyOf'].some((key) => key in schema);
  const accepts = node.additionalProperties === true ? [`${place}: additionalProperties`] : [];
  return [
    ...(isVague ? [place] : []),
    ...accepts,
    ...Object.entries(node).flatMap(([key, child]) => vague(child, `${place}/${key}`)),
  ];
}

t.test('no schema of the document accepts anything', async (t) => {
  t.same(vague(document, ''), []);
});

t.test('a route that does not declare who may call it stops the start', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(declaredScopes);
  t.throws(() => app.get('/api/new', () => ''), /GET \/api\/new does not declare who may call it/);
  t.throws(() => app.get('/i/new', () => ''), /does not declare/);
  t.doesNotThrow(() => app.get('/api/open', { config: withoutLogin }, () => ''));
  t.doesNotThrow(() => app.get('/share', () => ''));
});

t.test('a route without an operationId or a summary has no document', async (t) => {
  const route = { method: 'GET', url: '/api/new', config: withoutLogin, handler: () => '' } as RouteOptions;
  await t.rejects(documentOf([route]), /GET \/api\/new lacks an operationId, a summary or scopes/);
});
