/** `POST /api/upload`, as programs for Zipline 4 call it: https://zipline.diced.sh/docs/guides/upload-options */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type StoredImage, ZiplineAnswer, ZiplineError } from '../../contract.ts';
import { InvalidRequest } from '../../errors.ts';
import { uploading } from '../form-uploads.ts';
import { assertAlbum, targetAlbum } from '../target-album.ts';
import {
  assertToken,
  type CompatibleOptions,
  keepAllOrNone,
  sendText,
  shapeErrors,
  storeAllOrNone,
} from './compatible-uploads.ts';
import { readDeletesAt } from './times.ts';

const PREFIX = 'x-zipline-';
const known = new Set(['folder', 'deletes-at', 'original-name', 'no-json'].map((name) => PREFIX + name));
const hint = 'Send the images as multipart/form-data, in the field "file".';

const headerOf = ({ headers }: FastifyRequest, name: string): string => String(headers[PREFIX + name] ?? '').trim();

const albumOf = (request: FastifyRequest): string | null =>
  targetAlbum(request.access, headerOf(request, 'folder') || undefined);

/** @throws Unauthorized, InvalidRequest, NotFound */
async function check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  assertToken(request);
  const ignored = Object.keys(request.headers).filter((name) => name.startsWith(PREFIX) && !known.has(name));
  if (ignored.length > 0) reply.header('x-ignored', ignored.join(', '));
  if (request.headers['content-range'] !== undefined) {
    throw new InvalidRequest('The server does not accept an image in pieces here. Send it in one request.');
  }
  readDeletesAt(headerOf(request, 'deletes-at'));
  await assertAlbum(request.server.db, { ownerId: request.access.ownerId, albumId: albumOf(request) });
}

function answerOf(images: StoredImage[]): ZiplineAnswer {
  const ends = images.flatMap(({ expires_at: end }) => end ?? []);
  return {
    files: images.map(({ id, filename, content_type: type, url }) => ({ id, name: filename, type, url })),
    ...(ends[0] === undefined ? {} : { deletesAt: ends[0] }),
  };
}

export const ziplineRoute: FastifyPluginAsyncTypebox<CompatibleOptions> = async (app, options) => {
  // Programs for Zipline show `error`.
  shapeErrors(app, { header: 'Authorization', hint }, (answer) => ({ ...answer, error: answer.message }));

  const call = {
    onRequest: options.formUploads.admit(check),
    config: { ...uploading, tokenOnly: true },
    schema: {
      operationId: 'uploadForZipline',
      summary: 'Upload images as programs for Zipline 4 do',
      response: { 200: ZiplineAnswer, '4xx': ZiplineError, '5xx': ZiplineError },
    },
  };
  app.post('/upload', call, async (request, reply) => {
    const requested = {
      albumId: albumOf(request),
      lifetime: readDeletesAt(headerOf(request, 'deletes-at')),
      deleteLink: false,
      title: headerOf(request, 'original-name') === 'false' ? 'image' : undefined,
    };
    const form = { field: 'file', keepingOf: () => keepAllOrNone(request, options.deleteKeys, requested) };
    const images = await storeAllOrNone(options, { request, reply, form, deleteLink: false });
    const isText = headerOf(request, 'no-json') === 'true';
    return isText ? sendText(reply, images.map(({ url }) => url).join('\n')) : answerOf(images);
  });
};
