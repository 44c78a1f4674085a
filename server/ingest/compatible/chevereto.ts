/** `POST /api/1/upload`, as programs for Chevereto's API V1 call it: https://v4-docs.chevereto.com/api/1/file-upload.html */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { CheveretoAnswer, CheveretoError, type ErrorAnswer, type StoredImage } from '../../contract.ts';
import { InvalidRequest } from '../../errors.ts';
import { cleanDescription } from '../../images/description.ts';
import { uploading } from '../form-uploads.ts';
import type { Keeping } from '../ingest.ts';
import { assertAlbum, targetAlbum } from '../target-album.ts';
import {
  assertToken,
  type CompatibleOptions,
  keepAllOrNone,
  sendText,
  shapeErrors,
  storeAllOrNone,
} from './compatible-uploads.ts';
import { readExpiration } from './times.ts';

const names = ['title', 'description', 'album_id', 'expiration', 'format'] as const;

const Query = Type.Object(
  Object.fromEntries(['key', 'source', ...names].map((name) => [name, Type.Optional(Type.Unknown())])),
);

const hint = 'Send "source" as a file, in a multipart form. The server accepts no base64 and no address of an image.';

/** Chevereto reads each parameter from the form, or from the address. */
type Parameters = ReadonlyMap<string, string>;

function parametersOf({ query }: FastifyRequest, fields: Parameters): Parameters {
  const sent = Object.entries(query as Record<string, unknown>).map(([name, value]) => [name, String(value)] as const);
  return new Map([...sent, ...fields].map(([name, value]) => [name, value.trim()]));
}

/** @throws Unauthorized, InvalidRequest */
async function check(request: FastifyRequest): Promise<void> {
  assertToken(request);
  const inAddress = parametersOf(request, new Map());
  if (inAddress.has('key')) throw new InvalidRequest('Send the API token in the header X-API-Key, not in the address.');
  if (inAddress.has('source')) throw new InvalidRequest(hint);
}

function answerOf(image: StoredImage): CheveretoAnswer {
  const { id, url, filename, content_type: mime, size, width, height, delete_url = '' } = image;
  return {
    status_code: 200,
    success: { message: 'file uploaded', code: 200 },
    image: {
      id_encoded: id,
      filename,
      mime,
      size,
      width,
      height,
      url,
      url_viewer: url,
      display_url: image.screen_url,
      thumb: { url: image.thumbnail_url },
      medium: { url: image.screen_url },
      delete_url,
    },
    status_txt: 'OK',
  };
}

const errorOf = ({ statusCode, code, error, message }: ErrorAnswer): CheveretoError => ({
  status_code: statusCode,
  error: { message, code },
  status_txt: error,
});

export const cheveretoRoute: FastifyPluginAsyncTypebox<CompatibleOptions> = async (app, options) => {
  const formats = new WeakMap<FastifyRequest, string>();
  const formatOf = (request: FastifyRequest) =>
    formats.get(request) ?? parametersOf(request, new Map()).get('format') ?? 'json';

  shapeErrors(app, { header: 'X-API-Key', hint }, (answer, request) =>
    ['txt', 'redirect'].includes(formatOf(request)) ? answer.message : errorOf(answer),
  );

  /** @throws InvalidRequest, NotFound */
  async function keeping(request: FastifyRequest, fields: Parameters): Promise<Keeping> {
    const sent = parametersOf(request, fields);
    formats.set(request, sent.get('format') ?? 'json');
    if (sent.has('source')) throw new InvalidRequest(hint);
    const albumId = targetAlbum(request.access, sent.get('album_id') || undefined);
    await assertAlbum(app.db, { ownerId: request.access.ownerId, albumId });
    return keepAllOrNone(request, options.deleteKeys, {
      albumId,
      lifetime: readExpiration(sent.get('expiration') ?? ''),
      deleteLink: true,
      title: sent.get('title') || undefined,
      description: cleanDescription(sent.get('description') ?? ''),
    });
  }

  const call = {
    onRequest: options.formUploads.admit(check),
    config: { ...uploading, tokenOnly: true },
    schema: {
      operationId: 'uploadForChevereto',
      summary: "Upload an image as programs for Chevereto's API V1 do",
      querystring: Query,
      response: { 200: CheveretoAnswer, '4xx': CheveretoError, '5xx': CheveretoError },
    },
  };
  app.post('/1/upload', call, async (request, reply) => {
    const form = {
      field: 'source',
      fields: ['source', ...names],
      maxFiles: 1,
      keepingOf: (fields: Parameters) => keeping(request, fields),
    };
    const [image] = await storeAllOrNone(options, { request, reply, form, deleteLink: true });
    if (!image) throw new TypeError('an upload was neither stored nor refused');
    const format = formatOf(request);
    if (format === 'redirect') return reply.redirect(image.url, 302);
    return format === 'txt' ? sendText(reply, image.url) : answerOf(image);
  });
};
