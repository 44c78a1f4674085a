/** The answer to an upload by form: JSON, or a link a line for programs that request plain text. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Rejection, StoredImage } from '../contract.ts';
import type { Refused, Result } from './upload.ts';

/** One that accepts anything gets JSON. */
const wantsText = ({ headers }: FastifyRequest): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/plain']) === 'text/plain';

export const refusedOf = (results: Result[]): Refused[] =>
  results.flatMap((result) => ('row' in result ? [] : [result]));

const asRejection = ({ filename, error }: Refused): Rejection => ({
  filename,
  code: error.code,
  message: error.message,
});

/** The error of an upload of which nothing was stored: the first one, with the others if there are any. */
function refuseAll(first: Refused, refused: Refused[]): Error {
  return refused.length === 1 ? first.error : Object.assign(first.error, { rejected: refused.map(asRejection) });
}

function statusOf(results: Result[], refused: Refused[]): number {
  if (refused.length === results.length) return refused[0]?.error.statusCode ?? 400;
  return refused.length > 0 ? 207 : 201;
}

type Show<Shown> = (row: ImageRow) => Shown;

/** @throws the first refusal if nothing was stored, and the answer is JSON */
export function sendResults(request: FastifyRequest, reply: FastifyReply, results: Result[], show: Show<StoredImage>) {
  if (wantsText(request)) {
    const lines = results.map((one) => ('row' in one ? show(one.row).url : `! ${one.filename}: ${one.error.message}`));
    reply.code(statusOf(results, refusedOf(results))).type('text/plain; charset=utf-8');
    return reply.send(lines.map((line) => `${line}\n`).join(''));
  }
  return sendAsJson(reply, results, show);
}

/** @throws the first refusal if nothing was stored */
export function sendAsJson<Shown>(reply: FastifyReply, results: Result[], show: Show<Shown>): FastifyReply {
  const refused = refusedOf(results);
  reply.code(statusOf(results, refused));
  const [first] = refused;
  if (first && refused.length === results.length) throw refuseAll(first, refused);
  const images = results.flatMap((one) => ('row' in one ? [show(one.row)] : []));
  return reply.send({ images, rejected: refused.map(asRejection) });
}
