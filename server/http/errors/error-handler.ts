/** Turns errors into responses: details below status 500, a fixed text from 500 up. */
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ErrorAnswer, Rejection, SecondFactorStep } from '../../contract.ts';
import { isUnavailable } from '../../database/connect.ts';
import { DamagedOriginal, DatabaseUnavailable, InvalidRequest, NotFound } from '../../errors.ts';
import { nameScheme } from '../scopes.ts';

type Refusal = Partial<FastifyError> & {
  rejected?: Rejection[];
  secondFactor?: SecondFactorStep;
  retryAfter?: number;
};

const unexpected = 'The server failed at this request. It was logged; try again, or tell the administrator.';

/** Plain texts for the framework's own errors. */
const plainTexts: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This route does not accept this content type.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, but JSON was announced.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than this route accepts.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its Content-Length says.',
  FST_ERR_BAD_URL: 'The address is not a valid URL path.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the address is longer than any that this server has.',
};

function translate(error: Refusal): Refusal {
  if (isUnavailable(error)) return Object.assign(new DatabaseUnavailable(), { retryAfter: 5 });
  return error.validation ? new InvalidRequest(error.message) : error;
}

/** @returns the response body, including its status */
function answerOf(error: Refusal): ErrorAnswer & { rejected?: Rejection[]; second_factor?: SecondFactorStep } {
  const statusCode = error.statusCode && error.statusCode >= 400 && error.statusCode <= 599 ? error.statusCode : 500;
  const named = error.statusCode !== undefined && error.code !== undefined;
  const ours = statusCode < 500 || (named && statusCode > 500) || error instanceof DamagedOriginal;
  const code = ours ? (error.code ?? 'INVALID_REQUEST') : 'INTERNAL_ERROR';
  const message = ours ? (plainTexts[code] ?? error.message ?? unexpected) : unexpected;
  return {
    statusCode,
    code,
    error: STATUS_CODES[statusCode] ?? 'Error',
    message,
    ...(error.rejected ? { rejected: error.rejected } : {}),
    ...(error.secondFactor ? { second_factor: error.secondFactor } : {}),
  };
}

export type Body = ReturnType<typeof answerOf>;

/** Logs a refusal, and sets its status and headers. @returns the body, which the caller sends */
export function prepareRefusal(thrown: Refusal, request: FastifyRequest, reply: FastifyReply): Body {
  const error = translate(thrown);
  const body = answerOf(error);
  // Neither is a failure, and both come in large numbers.
  const isFailure = body.statusCode >= 500 && !['SERVER_BUSY', 'FORMAT_UNAVAILABLE'].includes(body.code);
  if (isFailure) request.log.error({ err: thrown }, body.code);
  // A 404 message contains the path, which may be the secret key of a link.
  else request.log.debug({ code: body.code, ...(body.statusCode === 404 ? {} : { detail: body.message }) }, 'refused');
  // These headers describe the bytes that are not sent.
  for (const name of ['etag', 'accept-ranges', 'content-disposition', 'content-length']) reply.removeHeader(name);
  // A 416 keeps it: it gives the size of the whole.
  if (body.statusCode !== 416) reply.removeHeader('content-range');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  if (body.statusCode === 401) nameScheme(request, reply, body.code === 'UNAUTHORIZED');
  reply.code(body.statusCode).header('cache-control', 'no-store');
  return body;
}

/** @param shape the body for programs that expect another form; a string is sent as plain text */
export function answerError(
  thrown: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  shape: (body: Body) => object | string = (body) => body,
): void {
  const shown = shape(prepareRefusal(thrown, request, reply));
  if (typeof shown === 'string') return void reply.type('text/plain; charset=utf-8').send(shown);
  // The route's response schema does not apply to errors.
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(shown);
}

export const errorHandler = fp(
  async (app) => {
    app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply));
  },
  { name: 'error-handler' },
);

export function answerMissing(request: FastifyRequest, reply: FastifyReply): void {
  answerError(
    new NotFound(`There is nothing at ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`),
    request,
    reply,
  );
}
