import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setPrivateHeaders } from '../picture-headers.ts';

type Archive = { length: number; bytes: AsyncIterable<Uint8Array> };
type Call = { app: FastifyInstance; request: FastifyRequest; reply: FastifyReply };

const isGone = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Sends a ZIP that no cache may store. An error while it is sent aborts the response. */
export async function sendArchive({ length, bytes }: Archive, { app, request, reply }: Call): Promise<void> {
  setPrivateHeaders(reply, 'application/zip');
  reply.headers({ 'content-disposition': 'attachment; filename="images.zip"', 'content-length': length });
  reply.hijack();
  app.cutSlowReader(reply.raw);
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  // Content-Length is sent, so the client detects a cut archive.
  await pipeline(bytes, reply.raw).catch((err) => {
    if (!isGone(err)) request.log.warn({ err }, 'archive aborted');
    reply.raw.destroy();
  });
}
