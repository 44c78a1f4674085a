/** Sends bytes over HTTP with validators (RFC 9110, 13.1), one range (14.2) and Content-Length. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { DamagedOriginal, NotFound, RangeNotSatisfiable, StorageUnavailable } from '../../errors.ts';
import { isKnown } from '../../http/conditional.ts';
import type { ByteReader, ByteSource, StoredBytes, WholeBytes } from '../../storage/byte-source.ts';
import type { ByteRange } from '../../storage/object-store.ts';
import { streamFile } from './stream-file.ts';

/** Of every route that sends stored bytes. */
export const refusalsOfBytes = [RangeNotSatisfiable, DamagedOriginal, StorageUnavailable];

/** Limits a suffix range to the size: RFC 9110 (14.1.2) allows longer ones, which the parser rejects. */
function readable(range: string, size: number): string {
  return range
    .replace(/^bytes=/i, 'bytes=')
    .replace(/^bytes=-(\d+)$/, (_all, last: string) => `bytes=-${Math.min(Number(last), size)}`);
}

/** The range to send; undefined for the whole, also for several ranges, another unit or a malformed header. */
function wantedRange(request: FastifyRequest, { size, etag }: ByteSource): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers;
  if (range === undefined || request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const ranges = parseRange(size, readable(range, size));
  if (ranges === -1) throw new RangeNotSatisfiable();
  const [first] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  return first;
}

/** `range`: undefined for the whole. */
type Part = ByteRange & { range: ByteRange | undefined };

/** @returns the wanted bytes; undefined if the client has them, and the response is 304 */
function partOf(source: ByteSource, request: FastifyRequest, reply: FastifyReply): Part | undefined {
  const { size, etag } = source;
  reply.header('etag', etag).header('accept-ranges', 'bytes');
  if (isKnown(request, etag)) {
    reply.code(304);
    return undefined;
  }
  try {
    const range = wantedRange(request, source);
    return range ? { ...range, range } : { start: 0, end: size - 1, range };
  } catch (error) {
    reply.header('content-range', `bytes */${size}`);
    throw error;
  }
}

function describe({ start, end, range }: Part, size: number, reply: FastifyReply): void {
  reply.header('content-length', end - start + 1);
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
}

export function sendWhole(source: WholeBytes, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const part = partOf(source, request, reply);
  if (!part) return reply.send();
  describe(part, source.size, reply);
  return reply.send(
    request.method === 'HEAD' ? undefined : part.range ? source.bytes.subarray(part.start, part.end + 1) : source.bytes,
  );
}

export async function sendStored(
  source: StoredBytes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const part = partOf(source, request, reply);
  if (!part) return reply.send();
  const reader = await source.open(part.range);
  if (!reader) throw new NotFound('The bytes of this image are missing on the server. Tell its administrator.');
  describe(part, source.size, reply);
  if (request.method === 'HEAD') {
    await reader.close();
    return reply.send();
  }
  await stream(reader, part, request, reply);
  return reply;
}

/** Streams a file. Errors before the first bytes are thrown; later ones abort the response. */
async function stream(
  reader: ByteReader,
  part: ByteRange,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const begin = () => {
    reply.hijack();
    request.server.cutSlowReader(reply.raw);
    return reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  };
  try {
    await streamFile(reader, part, begin, request.server.bufferPool);
  } catch (err) {
    if (!reply.sent) throw err;
    request.log.warn({ err }, 'response aborted');
    reply.raw.destroy();
  }
}
