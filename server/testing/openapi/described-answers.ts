/** Fails a test whose server gives an answer that the OpenAPI document does not describe. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Test } from 'tap';
import { isObject, type Json, type JsonObject, mapChildren } from '../../openapi/json.ts';

/** Refuses fields that the document does not name: it may not say less than the server sends. */
function closed(node: Json): Json {
  const inner = mapChildren(node, closed);
  return isObject(inner) && inner.type === 'object' && 'properties' in inner
    ? { ...inner, additionalProperties: false }
    : inner;
}

const text = readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8');
const document = closed(JSON.parse(text)) as JsonObject;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ ...document, $id: 'openapi' });

const part = (...names: string[]) => names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

/** @returns the node and its place, through references */
function find(place: string): { node: JsonObject; place: string } | undefined {
  let node: Json | undefined = document;
  for (const name of place.split('/')) {
    node = isObject(node) ? node[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  if (!isObject(node)) return undefined;
  return typeof node.$ref === 'string' ? find(node.$ref.slice(2)) : { node, place };
}

/** @returns the place of the operation; undefined for a route that the document leaves out */
function operationAt(method: string, url: string): string | undefined {
  const path = url.replace(/(?<=.)\/$/, '').replace(/:(\w+)/g, '{$1}');
  const places = [method, ...(method === 'HEAD' ? ['GET'] : [])].map((one) => part('paths', path, one.toLowerCase()));
  return places.find(find);
}

const mediaTypes = (type: string) => [type, type.replace(/\/.*/, '/*')];

/** Headers that routes set themselves. Hooks and the framework add the others to every answer. */
const ofRoutes =
  /^(?:upload-|tus-|x-ignored$|preference-applied$|location$|etag$|content-(?:range|disposition)$|www-authenticate$|retry-after$)/;

type Answer = { status: number; headers: string[]; type: string; payload: unknown };

/** @returns a header that the document does not name */
function undescribedHeader(headers: string[], { headers: named = {} }: JsonObject): string | undefined {
  const known = Object.keys(named as JsonObject).map((name) => name.toLowerCase());
  return headers.find((name) => ofRoutes.test(name) && !known.includes(name));
}

/** @returns what the document does not say about an answer; undefined if it describes it */
function complaint(operation: string, { status, headers, type, payload }: Answer): string | undefined {
  // Nobody receives the answer to a client that is gone.
  if (status === 499) return undefined;
  const response = find(`${operation}/responses/${status}`);
  if (!response) return `status ${status} is not described`;
  const header = undescribedHeader(headers, response.node);
  if (header) return `the header ${header} with status ${status} is not described`;
  const isEmpty = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length === 0 : !payload;
  if (isEmpty || status === 204 || status === 304) return undefined;
  const content = isObject(response.node.content) ? response.node.content : {};
  const media = mediaTypes(type).find((one) => one in content);
  if (media === undefined) return `a body of type ${type} is not described`;
  if (media !== 'application/json' || typeof payload !== 'string') return undefined;
  const validate = ajv.getSchema(`openapi#/${response.place}/${part('content', media, 'schema')}`);
  if (!validate) return 'the body has no schema';
  return validate(JSON.parse(payload)) ? undefined : ajv.errorsText(validate.errors);
}

type Hooks = Pick<RouteOptions, 'onSend' | 'onResponse'>;

/** @returns an onRoute hook, which calls `next` first */
export function describedAnswers(t: Pick<Test, 'fail'>, next?: (route: RouteOptions) => void) {
  const reported = new Set<string>();
  const checked = new WeakSet<FastifyRequest>();

  function check(request: FastifyRequest, reply: FastifyReply, operation: string, payload?: unknown): void {
    if (checked.has(request)) return;
    checked.add(request);
    const type = String(reply.getHeader('content-type') ?? '').replace(/;.*/, '');
    const body = request.method === 'HEAD' ? undefined : payload;
    const headers = Object.keys(reply.getHeaders());
    const found = complaint(operation, { status: reply.statusCode, headers, type, payload: body });
    const line = `${request.method} ${request.routeOptions.url}: ${found} (${String(payload).slice(0, 200)})`;
    if (found === undefined || reported.has(line)) return;
    reported.add(line);
    t.fail(`the OpenAPI document does not describe an answer of ${line}`);
  }

  return (route: RouteOptions): void => {
    next?.(route);
    const operation = [route.method].flat().map((method) => operationAt(method, route.url))[0];
    if (operation === undefined) return;
    const hooks: Hooks = {
      onSend: [
        ...[route.onSend ?? []].flat(),
        (request, reply, payload, done) => {
          check(request, reply, operation, payload);
          done(null, payload);
        },
      ],
      // An answer that is streamed by hand passes no onSend hook.
      onResponse: [
        ...[route.onResponse ?? []].flat(),
        (request, reply, done) => {
          check(request, reply, operation);
          done();
        },
      ],
    };
    Object.assign(route, hooks);
  };
}
