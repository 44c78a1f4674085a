/** One operation of the document, from its route. */
import { STATUS_CODES } from 'node:http';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type Addition, additions } from './additions.ts';
import { refusalAnswer, refusedCodes } from './refusals.ts';

/** By the first parts of an address. */
export const tags = [
  { name: 'images', at: '/api/images', description: 'Upload, list, change and delete images.' },
  { name: 'uploads', at: '/api/uploads', description: 'Resumable uploads, by the tus protocol 1.0.0.' },
  { name: 'albums', at: '/api/albums', description: 'Albums and their images.' },
  { name: 'tokens', at: '/api/account/tokens', description: 'API tokens.' },
  { name: 'account', at: '/api/account', description: 'The account, its sessions and its mail.' },
  { name: 'auth', at: '/api/auth', description: 'Registration, login and forgotten passwords.' },
  { name: 'health', at: '/api/health', description: 'Health checks.' },
  { name: 'links', at: '/i', description: 'Public links to images: the link is the permission.' },
  { name: 'delete links', at: '/d', description: 'Links with which anyone can delete one image.' },
  { name: 'document', at: '/api', description: 'This document.' },
] as const;

const security: Record<'none' | 'session' | 'token', Record<string, string[]>[]> = {
  none: [],
  session: [{ session: [] }, { cookie: [] }],
  token: [{ apiToken: [] }, { apiKey: [] }, { session: [] }, { cookie: [] }],
};

type Scopes = NonNullable<NonNullable<RouteOptions['config']>['scopes']>;

function whoMayCall(scopes: Scopes): string {
  if (scopes === 'none') return 'Needs no login.';
  if (scopes === 'session') return 'Needs a session: no API token may call it.';
  const names = scopes.map((scope) => `\`${scope}\``);
  const which = names.length === 1 ? `the scope ${names[0]}` : 'any scope';
  return `Needs an API token with ${which}, or a session.`;
}

const described = ({ description }: { description?: string } = {}) => description;

/** Descriptions of statuses whose schema has none. */
function successes(response: Record<number, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      { 'x-response-description': `${described(schema) ?? STATUS_CODES[status]}`, ...schema },
    ]),
  );
}

/** Statuses that concern the files of an upload, not the whole call. */
const ofFiles = (status: number) => status < 500 && ![401, 403, 404, 429].includes(status);

const lines = { 'text/plain': { schema: { type: 'string', description: 'a line for each file' } } };

/** Adds text to an answer in JSON. */
function withText(answer: object): object {
  const { 'x-response-description': about, ...rest } = answer as Record<string, object>;
  const content = rest.content ?? { 'application/json': { schema: rest } };
  return { 'x-response-description': about, headers: rest.headers, content: { ...content, ...lines } };
}

function answersOf(route: RouteOptions, method: string, { response, text = false }: Addition): Record<string, object> {
  const declared = (route.schema?.response ?? {}) as Record<number, object>;
  const isText = (status: number) => text && ofFiles(status);
  const refused = [...refusedCodes(route, method)].map(([status, codes]) => {
    return [status, refusalAnswer(status, codes, { lists: isText(status) })];
  });
  const all: Record<string, object> = { ...Object.fromEntries(refused), ...successes({ ...declared, ...response }) };
  return Object.fromEntries(
    Object.entries(all).map(([status, answer]) => [status, isText(Number(status)) ? withText(answer) : answer]),
  );
}

/** HEAD answers have no body. */
const withoutBodies = (answers: Record<string, object>) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      {
        ...answer,
        content: undefined,
        type: 'null',
        description: (answer as Record<string, string>)['x-response-description'],
      },
    ]),
  );

/** @param route with one method @throws if the route lacks an operationId, a summary or its scopes */
export function operationOf(route: RouteOptions): FastifySchema {
  const method = String(route.method);
  const { schema = {}, url, config } = route;
  const { operationId, summary, params, body, querystring } = schema;
  const scopes = config?.scopes;
  if (!operationId || !summary || !scopes)
    throw new Error(`${method} ${url} lacks an operationId, a summary or scopes.`);
  const addition = additions[operationId] ?? {};
  const { headers, consumes } = addition;
  const tag = tags.find(({ at }) => url.startsWith(at));
  const answers = answersOf(route, method, addition);
  const sent = { params, headers, body: addition.body ?? body, querystring: addition.querystring ?? querystring };
  return {
    operationId,
    summary,
    description: [addition.description, whoMayCall(scopes)].filter(Boolean).join(' '),
    tags: [tag?.name],
    security: typeof scopes === 'string' ? security[scopes] : security.token,
    'x-scopes': scopes,
    ...(config.beyondAlbum ? { 'x-all-albums': true } : {}),
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    ...(consumes ? { consumes } : {}),
    response: method === 'HEAD' ? withoutBodies(answers) : answers,
  } as FastifySchema;
}
