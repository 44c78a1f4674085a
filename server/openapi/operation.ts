/** One operation of the document, from its route. */
import { STATUS_CODES } from 'node:http';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type Addition, additions } from './additions.ts';
import { refusalAnswer, refusedCodes } from './refusals.ts';

/** By the first parts of an address. */
export const tags = [
  { name: 'images', at: ['/api/images'], description: 'Upload, list, change and delete images.' },
  { name: 'uploads', at: ['/api/uploads'], description: 'Resumable uploads, by the tus protocol 1.0.0.' },
  {
    name: 'compatible uploads',
    at: ['/api/upload', '/api/1'],
    description: 'Uploads by programs that are made for other products.',
  },
  { name: 'albums', at: ['/api/albums'], description: 'Albums and their images.' },
  { name: 'shares', at: ['/api/shares'], description: 'Links to albums and selections of images, with settings.' },
  {
    name: 'collect links',
    at: ['/api/collect-links'],
    description: 'Links with which others add images to an album, and the images that wait to be admitted.',
  },
  { name: 'stable links', at: ['/api/stable-links', '/l'], description: 'Names that lead to an image.' },
  { name: 'administration', at: ['/api/admin'], description: 'What administrators see and do.' },
  { name: 'tokens', at: ['/api/account/tokens'], description: 'API tokens.' },
  { name: 'account', at: ['/api/account'], description: 'The account, its sessions and its mail.' },
  { name: 'auth', at: ['/api/auth'], description: 'Registration, login and forgotten passwords.' },
  { name: 'health', at: ['/api/health'], description: 'Health checks.' },
  { name: 'links', at: ['/i'], description: 'Public links to images: the link is the permission.' },
  {
    name: 'shared',
    at: ['/s'],
    description: 'What visitors see of a share. One with a password needs the cookie of its form.',
  },
  {
    name: 'guests',
    at: ['/c'],
    description: 'What guests of a collect link see and add. Most calls need the cookie of `POST /c/{key}/guest`.',
  },
  { name: 'delete links', at: ['/d'], description: 'Links with which anyone can delete one image.' },
  { name: 'document', at: ['/api'], description: 'This document.' },
] as const;

const security: Record<'none' | 'session' | 'token', Record<string, string[]>[]> = {
  none: [],
  session: [{ session: [] }, { cookie: [] }],
  token: [{ apiToken: [] }, { apiKey: [] }],
};

type Scopes = NonNullable<NonNullable<RouteOptions['config']>['scopes']>;

type Callers = { scopes: Scopes; tokenOnly?: boolean; adminOnly?: boolean };

function whoMayCall({ scopes, tokenOnly, adminOnly }: Callers): string {
  if (scopes === 'none') return 'Needs no login.';
  if (adminOnly) return 'Needs the session of an administrator: no API token may call it.';
  if (scopes === 'session') return 'Needs a session: no API token may call it.';
  const which = scopes.length === 1 ? `the scope \`${scopes[0]}\`` : 'any scope';
  return `Needs an API token with ${which}${tokenOnly ? ': a session gets 401' : ', or a session'}.`;
}

function securityOf({ scopes, tokenOnly }: Callers) {
  if (typeof scopes === 'string') return security[scopes];
  return tokenOnly ? security.token : [...security.token, ...security.session];
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

const lines = { 'text/plain': { schema: { type: 'string', description: 'a line for each file' } } };

const withHeaders = (answer: { headers?: object }, headers: object) => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/** Adds text to an answer in JSON. */
function withText(answer: object): object {
  const { 'x-response-description': about, headers, ...rest } = answer as Record<string, object>;
  const content = rest.content ?? { 'application/json': { schema: rest } };
  return { 'x-response-description': about, headers, content: { ...content, ...lines } };
}

type Declared = Record<number | '4xx' | '5xx', object>;

/** @param addition.text statuses whose answer may also be text */
function answersOf(
  route: RouteOptions,
  method: string,
  { response, text = [], pages = [], lists = [], nextSteps = [], every, consumes = [] }: Addition,
) {
  const { '4xx': shape, '5xx': _same, ...declared } = (route.schema?.response ?? {}) as Declared;
  const readsBody = route.schema?.body !== undefined || consumes.includes('multipart/form-data');
  const refused = [...refusedCodes(route, method, readsBody)].map(([status, codes]) => {
    const form = {
      shape,
      lists: lists.includes(status),
      hasNextStep: nextSteps.includes(status),
      isPage: pages.includes(status),
      every,
    };
    return [status, refusalAnswer(status, codes, form)];
  });
  const all: Record<string, object> = { ...Object.fromEntries(refused), ...successes({ ...declared, ...response }) };
  return Object.fromEntries(
    Object.entries(all).map(([status, answer]) => {
      const whole = every ? withHeaders(answer, every.headers) : answer;
      return [status, text.includes(Number(status)) ? withText(whole) : whole];
    }),
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
  const tag = tags.find(({ at }) => at.some((start) => url.startsWith(start)));
  const answers = answersOf(route, method, addition);
  const sent = { params, headers, body: addition.body ?? body, querystring: addition.querystring ?? querystring };
  return {
    operationId,
    summary,
    description: [addition.description, whoMayCall({ ...config, scopes })].filter(Boolean).join(' '),
    tags: [tag?.name],
    security: securityOf({ ...config, scopes }),
    'x-scopes': scopes,
    ...(config.tokenOnly ? { 'x-token-only': true } : {}),
    ...(config.adminOnly ? { 'x-admin-only': true } : {}),
    ...(config.beyondAlbum ? { 'x-all-albums': true } : {}),
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    ...(consumes ? { consumes } : {}),
    response: method === 'HEAD' ? withoutBodies(answers) : answers,
  } as FastifySchema;
}
