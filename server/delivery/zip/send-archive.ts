import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { disposition, setPrivateHeaders } from '../picture-headers.ts';

type Call = { app: FastifyInstance; request: FastifyRequest; reply: FastifyReply };

const isGone = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

type Archive = { filename: string; length: number | undefined; bytes: AsyncIterable<Uint8Array> };

/** Sends a ZIP that no cache may store. An error while it is sent aborts the response. */
export async function sendArchive(
  { filename, length, bytes }: Archive,
  { app, request, reply }: Call,
): Promise<FastifyReply> {
  setPrivateHeaders(reply, 'application/zip');
  const saved = disposition({ filename, extension: 'zip', contentType: 'application/zip' }, 'attachment');
  reply.header('content-disposition', saved);
  if (length !== undefined) reply.header('content-length', length);
  if (request.method === 'HEAD') return reply.send();
  reply.hijack();
  app.cutSlowReader(reply.raw);
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  // By the length or the missing last chunk, the client detects a cut archive.
  await pipeline(bytes, reply.raw).catch((err) => {
    if (!isGone(err)) request.log.warn({ err }, 'archive aborted');
    reply.raw.destroy();
  });
  return reply;
}
