/** Which refusals an operation gives, from the settings of its route. */
import { STATUS_CODES } from 'node:http';
import type { RouteOptions } from 'fastify';
import { Rejection } from '../contract.ts';
import {
  DatabaseUnavailable,
  ForeignOrigin,
  InvalidRequest,
  ScopeNeeded,
  ServerBusy,
  SessionNeeded,
  TooManyRequests,
  Unauthorized,
} from '../errors.ts';
import type { Refusal } from '../http/openapi/refusals.ts';

type Code = { statusCode: number; code: string };

/** Of the framework, for a route that reads a JSON body. */
const ofBodies: Code[] = [
  { statusCode: 400, code: 'FST_ERR_CTP_INVALID_JSON_BODY' },
  { statusCode: 400, code: 'FST_ERR_CTP_EMPTY_JSON_BODY' },
  { statusCode: 400, code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' },
  { statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE' },
  { statusCode: 415, code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' },
];

const ofEvery: Code[] = [{ statusCode: 500, code: 'INTERNAL_ERROR' }];

const codeOf = (Refused: Refusal): Code => {
  const { statusCode = 500, code } = new Refused();
  return { statusCode, code };
};

const isReading = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Of the guard. */
function ofGuard({ config }: RouteOptions, method: string): Refusal[] {
  if (config?.scopes === 'none') return [];
  const lacking = config?.scopes === 'session' ? SessionNeeded : ScopeNeeded;
  return [Unauthorized, lacking, TooManyRequests, ...(isReading(method) ? [] : [ForeignOrigin])];
}

function codesOf(route: RouteOptions, method: string): Code[] {
  const { config, schema } = route;
  const refusals = [
    ...[InvalidRequest, ServerBusy, DatabaseUnavailable],
    ...ofGuard(route, method),
    ...(config?.refusals ?? []),
    ...(config && 'rateLimit' in config ? [TooManyRequests] : []),
  ];
  return [...ofEvery, ...(schema?.body ? ofBodies : []), ...refusals.map(codeOf)];
}

/** The codes of each status, sorted. */
export function refusedCodes(route: RouteOptions, method: string): Map<number, string[]> {
  const found = codesOf(route, method).toSorted((one, other) => one.statusCode - other.statusCode);
  const statuses = [...new Set(found.map(({ statusCode }) => statusCode))];
  return new Map(
    statuses.map((status) => {
      const codes = found.flatMap(({ statusCode, code }) => (statusCode === status ? code : []));
      return [status, [...new Set(codes)].toSorted()];
    }),
  );
}

const text = (description: string) => ({ type: 'string', description });

const retryAfter = { type: 'integer', description: 'seconds until the call may be repeated' };

const headersOf = (status: number) => ({
  ...([429, 503].includes(status) ? { 'Retry-After': retryAfter } : {}),
  ...(status === 401 || status === 403 ? { 'WWW-Authenticate': text('of a call with an API token: RFC 6750') } : {}),
});

/** @param lists whether the refusal may name several files of one upload */
export function refusalAnswer(status: number, codes: string[], { lists = false } = {}) {
  const properties = {
    statusCode: { const: status, type: 'integer' },
    code: { enum: codes, type: 'string' },
    error: text("the status's standard phrase"),
    message: text('a sentence for people that says what to do next'),
  };
  const rejected = { type: 'array', items: Rejection, description: 'present if several files were refused' };
  return {
    'x-response-description': `${STATUS_CODES[status]}: ${codes.join(', ')}.`,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: Object.keys(properties),
          properties: { ...properties, ...(lists ? { rejected } : {}) },
        },
      },
    },
  };
}
