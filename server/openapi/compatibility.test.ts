import t from 'tap';
import { brokenPromises } from './compatibility.ts';
import type { JsonObject } from './json.ts';

const base = {
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        'x-scopes': ['images:read', 'images:write'],
        parameters: [
          { in: 'query', name: 'sort', schema: { type: 'string', enum: ['date', 'name'] } },
          { in: 'query', name: 'page', schema: { type: ['integer', 'null'], maximum: 10 } },
        ],
        responses: {
          200: {
            headers: { ETag: { schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['things'],
                  properties: { things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
                },
              },
            },
          },
          404: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: { code: { type: 'string', enum: ['NOT_FOUND', 'GONE'] } } },
              },
            },
          },
        },
      },
      post: {
        operationId: 'createThing',
        'x-scopes': 'none',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 9 } } },
            },
          },
        },
        responses: { 204: {} },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' }, state: { type: 'string', enum: ['new', 'old'] } },
      },
    },
  },
};

// biome-ignore lint/suspicious/noExplicitAny: the changes leave the type on purpose
type Draft = any;

/** What breaks after a change to a copy of the document. */
function after(change: (draft: Draft) => void): string[] {
  const draft = structuredClone(base);
  change(draft);
  return brokenPromises(base as unknown as JsonObject, draft as unknown as JsonObject);
}

const get = (draft: Draft) => draft.paths['/things'].get;
const post = (draft: Draft) => draft.paths['/things'].post;
const thing = (draft: Draft) => draft.components.schemas.Thing;
const body = (draft: Draft) => post(draft).requestBody.content['application/json'].schema;
const answer = 'GET /things 200 application/json.things[]';

const broken: [string, (draft: Draft) => void, string][] = [
  ['an operation', (draft) => delete draft.paths['/things'].post, 'removed: POST /things'],
  ['an operationId', (draft) => (get(draft).operationId = 'things'), 'removed: GET /things is listThings'],
  ['a scope', (draft) => get(draft)['x-scopes'].pop(), 'removed: GET /things with images:write'],
  ['open access', (draft) => (post(draft)['x-scopes'] = 'session'), 'removed: POST /things with none'],
  ['a field of an answer', (draft) => delete thing(draft).properties.state, `removed: ${answer}.state`],
  [
    'a field that was always present',
    (draft) => (thing(draft).required = []),
    `removed: ${answer}.id is always present`,
  ],
  ['a value of an answer', (draft) => thing(draft).properties.state.enum.pop(), `removed: ${answer}.state: "old"`],
  [
    'a type of an answer',
    (draft) => (thing(draft).properties.id.type = 'integer'),
    `narrower: ${answer}.id may be integer`,
  ],
  [
    'an answer without null',
    (draft) => (thing(draft).properties.id.type = ['string', 'null']),
    `narrower: ${answer}.id may be null`,
  ],
  ['calls by session', (draft) => (get(draft)['x-token-only'] = true), 'narrower: GET /things x-token-only'],
  ['a header', (draft) => delete get(draft).responses[200].headers.ETag, 'removed: GET /things 200 header ETag'],
  ['a status', (draft) => delete get(draft).responses[404], 'removed: GET /things 404'],
  [
    'a code',
    (draft) => get(draft).responses[404].content['application/json'].schema.properties.code.enum.pop(),
    'removed: GET /things 404 application/json.code: "GONE"',
  ],
  ['a parameter', (draft) => get(draft).parameters.pop(), 'removed: GET /things query page'],
  [
    'a value of a parameter',
    (draft) => get(draft).parameters[0].schema.enum.pop(),
    'removed: GET /things query sort: "name"',
  ],
  [
    'a type of a parameter',
    (draft) => (get(draft).parameters[1].schema.type = 'integer'),
    'removed: GET /things query page: null',
  ],
  [
    'a higher limit',
    (draft) => (get(draft).parameters[1].schema.maximum = 9),
    'narrower: GET /things query page maximum 9',
  ],
  [
    'the absence of a limit',
    (draft) => (get(draft).parameters[1].schema.minimum = 1),
    'narrower: GET /things query page minimum 1',
  ],
  [
    'any form',
    (draft) => (body(draft).properties.name.pattern = '^a'),
    'narrower: POST /things body application/json.name has pattern ^a',
  ],
  [
    'calls without a parameter',
    (draft) => get(draft).parameters.push({ in: 'header', name: 'X-New', required: true, schema: { type: 'string' } }),
    'narrower: GET /things header X-New is required',
  ],
  [
    'bodies without a field',
    (draft) => {
      body(draft).properties.size = { type: 'integer' };
      body(draft).required.push('size');
    },
    'narrower: POST /things body application/json.size is required',
  ],
];

for (const [what, change, line] of broken) {
  t.test(`a document that no longer has ${what} breaks programs`, async (t) => {
    t.same(after(change), [line]);
  });
}

const kept: [string, (draft: Draft) => void][] = [
  ['nothing', () => undefined],
  [
    'an operation with a required parameter',
    (draft) => {
      const parameters = [{ in: 'query', name: 'id', required: true, schema: { type: 'string', maxLength: 3 } }];
      Object.assign(draft.paths, {
        '/new': { get: { operationId: 'getNew', 'x-scopes': 'none', parameters, responses: {} } },
      });
    },
  ],
  [
    'an optional parameter',
    (draft) => get(draft).parameters.push({ in: 'query', name: 'new', schema: { type: 'string', pattern: 'a' } }),
  ],
  [
    'an optional field with a required one in it',
    (draft) => {
      body(draft).properties.more = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    },
  ],
  ['a field of an answer', (draft) => (thing(draft).properties.more = { type: ['string', 'null'] })],
  ['a value of an answer', (draft) => thing(draft).properties.state.enum.push('older')],
  ['a code', (draft) => get(draft).responses[404].content['application/json'].schema.properties.code.enum.push('LOST')],
  ['a scope', (draft) => get(draft)['x-scopes'].push('albums:read')],
  [
    'open access',
    (draft) => {
      get(draft)['x-scopes'] = 'none';
    },
  ],
  ['a value of a parameter', (draft) => get(draft).parameters[0].schema.enum.push('size')],
  ['a higher limit', (draft) => (get(draft).parameters[1].schema.maximum = 11)],
  ['bodies without a field', (draft) => (body(draft).required = [])],
  [
    'a name for an inline schema',
    (draft) => {
      Object.assign(draft.components.schemas, { Body: body(draft) });
      post(draft).requestBody.content['application/json'].schema = { $ref: '#/components/schemas/Body' };
    },
  ],
];

for (const [what, change] of kept) {
  t.test(`a document that adds ${what} breaks no program`, async (t) => {
    t.same(after(change), []);
  });
}
