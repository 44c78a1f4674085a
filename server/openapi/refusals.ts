/** Which refusals an operation gives, from the settings of its route. */
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { RouteOptions } from 'fastify';
import { ErrorAnswer, Rejection, SecondFactorStep } from '../contract.ts';
import {
  AdminNeeded,
  DatabaseUnavailable,
  ForeignOrigin,
  InvalidRequest,
  ScopeNeeded,
  SecondFactorRequired,
  ServerBusy,
  SessionNeeded,
  TooManyRequests,
  Unauthorized,
} from '../errors.ts';
import type { Refusal } from '../http/openapi/refusals.ts';
import { asJson, isObject, type Json, type JsonObject } from './json.ts';

type Code = { statusCode: number; code: string };

/** Of the framework, for a route that reads JSON or a form. */
const ofBodies: Code[] = [
  { statusCode: 400, code: 'FST_ERR_CTP_INVALID_JSON_BODY' },
  { statusCode: 400, code: 'FST_ERR_CTP_EMPTY_JSON_BODY' },
  { statusCode: 400, code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' },
  { statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE' },
  { statusCode: 415, code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' },
];

/** Of the framework, for a route whose address has parameters. */
const ofParameters: Code[] = [
  { statusCode: 400, code: 'FST_ERR_BAD_URL' },
  { statusCode: 414, code: 'FST_ERR_MAX_PARAM_LENGTH' },
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
  const factor = config?.withoutFactor || config?.tokenOnly ? [] : [SecondFactorRequired];
  return [
    ...[Unauthorized, lacking, ...factor, TooManyRequests],
    ...(config?.adminOnly ? [AdminNeeded] : []),
    ...(isReading(method) ? [] : [ForeignOrigin]),
  ];
}

function codesOf(route: RouteOptions, method: string, readsBody: boolean): Code[] {
  const { config } = route;
  const refusals = [
    ...[InvalidRequest, ServerBusy, DatabaseUnavailable],
    ...ofGuard(route, method),
    ...(config?.refusals ?? []),
    ...(config && 'rateLimit' in config ? [TooManyRequests] : []),
  ];
  const hasParameters = route.url.includes(':');
  return [...ofEvery, ...(readsBody ? ofBodies : []), ...(hasParameters ? ofParameters : []), ...refusals.map(codeOf)];
}

/** The codes of each status, sorted. @param readsBody whether the framework parses the body */
export function refusedCodes(route: RouteOptions, method: string, readsBody: boolean): Map<number, string[]> {
  const found = codesOf(route, method, readsBody).toSorted((one, other) => one.statusCode - other.statusCode);
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
  ...(status === 401 ? { 'WWW-Authenticate': text('`Bearer`; for a refused token with its error: RFC 6750') } : {}),
  ...(status === 403 ? { 'WWW-Authenticate': text('of a call with a token: RFC 6750') } : {}),
  ...(status === 416 ? { 'Content-Range': text('the size of the whole') } : {}),
});

/** The schema of an error, with the status and the codes of one answer. */
function narrowed(shape: Json, status: number, codes: string[]): Json {
  if (!isObject(shape) || !isObject(shape.properties)) return shape;
  const properties = Object.entries(shape.properties).map(([name, field]) => {
    if (name === 'code') return [name, { type: 'string', enum: codes }];
    if (name === 'statusCode' || name === 'status_code') return [name, { type: 'integer', const: status }];
    return [name, narrowed(field, status, codes)];
  });
  return { ...shape, properties: Object.fromEntries(properties) };
}

const rejected = { type: 'array', items: asJson(Rejection), description: 'present if several files were refused' };

/** Headers of all answers of an operation, refusals too. */
export type EveryAnswer = { name: string; headers: Record<string, object> };

const nextStep = { ...(asJson(SecondFactorStep) as JsonObject), description: 'present if a second factor is needed' };

type Form = {
  /** Schema of an error in another form than the usual one. */
  shape?: object | undefined;
  /** Whether the refusal may name several files of one upload. */
  lists: boolean;
  /** Whether the refusal may contain the next step of a login. */
  hasNextStep: boolean;
  /** Whether a browser that opens the address gets a page. */
  isPage: boolean;
  every: EveryAnswer | undefined;
};

/** Characters of a name. Generators make file names of them. */
const longestName = 80;

/** An identifier in every language, the same as long as the answer is: generators make types of it. */
function nameOf(words: string[]): string {
  const whole = `Refusal${words.join('__')}`;
  if (whole.length <= longestName) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${whole.slice(0, longestName - hash.length)}${hash}`;
}

/** @returns a response of the document, with a name in `x-name` (components.ts) */
export function refusalAnswer(status: number, codes: string[], form: Form) {
  const { shape, lists, hasNextStep, isPage, every } = form;
  const schema = narrowed(asJson(shape ?? ErrorAnswer), status, codes) as JsonObject;
  const properties = {
    ...(schema.properties as JsonObject),
    ...(lists ? { rejected } : {}),
    ...(hasNextStep ? { second_factor: nextStep } : {}),
  };
  const forms = [
    ...(lists ? ['files'] : []),
    ...(hasNextStep ? ['step'] : []),
    ...(isPage ? ['page'] : []),
    ...(every ? [every.name] : []),
  ];
  const name = nameOf([String(status), ...codes, ...forms]);
  return {
    'x-response-description': `${STATUS_CODES[status]}: ${codes.join(', ')}.`,
    headers: headersOf(status),
    content: {
      'application/json': { schema: { ...schema, properties }, ...(shape ? {} : { 'x-name': name }) },
      ...(isPage ? { 'text/html': { schema: text('a page for people') } } : {}),
    },
  };
}
