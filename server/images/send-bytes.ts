/** Bytes over HTTP: validators (RFC 9110, 13.1), one range (14.2), and the length known beforehand. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { NotFound, RangeNotSatisfiable } from '../errors.ts';
import type { ByteRange } from '../storage/storage.ts';

export type ByteSource = {
  /** Bytes of the whole. */
  size: number;
  /** A strong validator, in its quotes. */
  etag: string;
  /** Answers undefined where the bytes are missing. */
  open: (range?: ByteRange) => Promise<Readable | undefined>;
};

function hasTag(header: string, etag: string): boolean {
  return header === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The last bytes asked for, more than there are, mean the whole (RFC 9110, 14.1.2); the parser takes them for none. */
function readable(range: string, size: number): string {
  return range
    .replace(/^bytes=/i, 'bytes=')
    .replace(/^bytes=-(\d+)$/, (_all, last: string) => `bytes=-${Math.min(Number(last), size)}`);
}

/**
 * The range to send: undefined for the whole. More ranges than one, another unit or a malformed header may be ignored,
 * and are: nobody asks a picture for pieces by the hundred with good intent.
 */
function wantedRange(request: FastifyRequest, { size, etag }: ByteSource): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers;
  if (range === undefined || request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const ranges = parseRange(size, readable(range, size));
  if (ranges === -1) throw new RangeNotSatisfiable();
  const [first] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  return first;
}

export async function sendBytes(
  source: ByteSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { size, etag } = source;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag)) return reply.code(304).send();

  let range: ByteRange | undefined;
  try {
    range = wantedRange(request, source);
  } catch (error) {
    reply.header('content-range', `bytes */${size}`);
    throw error;
  }
  const stream = await source.open(range);
  if (!stream) {
    throw new NotFound('The bytes of this image are missing on the server. Tell its administrator.');
  }
  reply.header('content-length', range ? range.end - range.start + 1 : size);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  if (request.method === 'HEAD') {
    stream.destroy();
    return reply.send();
  }
  return reply.send(stream);
}
