import { setMaxListeners } from 'node:events';
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { UserRow } from '../../drizzle/schema.ts';
import type { Config } from '../config.ts';
import { ImageAnswer, ImageChange, ImagePage, UploadAnswer, Usage } from '../contract.ts';
import { BrokenUpload, InvalidRequest, NotFound } from '../errors.ts';
import { readPage } from '../page-number.ts';
import { ignoreBodies } from '../plugins/ignore-bodies.ts';
import { whenOver } from '../plugins/when-over.ts';
import { perAccount } from '../rate-limit/plugin.ts';
import type { Admission } from './admission.ts';
import { imageAnswer, pictureOrigin, storedAnswer } from './answer.ts';
import type { Deletion } from './deletion.ts';
import type { Delivery } from './delivery.ts';
import { cleanDescription } from './description.ts';
import { cleanFilename } from './filename.ts';
import type { Ingest } from './ingest.ts';
import { findUploaded } from './insertion-queries.ts';
import { readOrder } from './order.ts';
import { pageOfImages } from './pages.ts';
import { disposition, setPrivateHeaders } from './picture-headers.ts';
import { findOwnImage, renameImage } from './queries.ts';
import { isFull, type Quota, quotaExceeded } from './quota.ts';
import { searchImages } from './search.ts';
import { readWords } from './search-words.ts';
import { sendBytes } from './send-bytes.ts';
import { createUpload } from './upload.ts';
import { readUploadKeys } from './upload-keys.ts';

/** Aborted, with the refusal as its reason, once nobody is there for the answer. */
function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // One listener for each picture of the upload.
  setMaxListeners(0, gone.signal);
  whenOver(reply.raw, () => gone.abort(new BrokenUpload('the connection was lost')));
  return gone.signal;
}

function createRunning() {
  const promises = new Set<Promise<unknown>>();
  return {
    async add<T>(promise: Promise<T>): Promise<T> {
      promises.add(promise);
      return promise.finally(() => promises.delete(promise));
    },
    settled: async () => {
      await Promise.allSettled(promises);
    },
  };
}

const ListQuery = Type.Object({
  page: Type.Optional(Type.Unknown()),
  search: Type.Optional(Type.Unknown()),
  sort: Type.Optional(Type.Unknown()),
  order: Type.Optional(Type.Unknown()),
});

function readSearch(search: unknown): string {
  if (search === undefined) return '';
  if (typeof search === 'string') return search;
  throw new InvalidRequest('The search must be one text.');
}

function readChange({ filename, description }: ImageChange): ImageChange {
  if (filename === undefined && description === undefined) {
    throw new InvalidRequest('Send a filename, a description or both.');
  }
  const name = filename === undefined ? undefined : cleanFilename(filename, '');
  if (name === '') throw new InvalidRequest('The filename is empty.');
  return {
    ...(name === undefined ? {} : { filename: name }),
    ...(description === undefined ? {} : { description: cleanDescription(description) }),
  };
}

const noSuchImage = () => new NotFound('There is no such image. It may have been deleted already.');

const heldBy = ({ imageCount, imageBytes }: Pick<UserRow, 'imageCount' | 'imageBytes'>) => ({
  images: imageCount,
  bytes: imageBytes,
});

const minute = 60_000;
/** Fifty a second: above what people do, a hundred files a request, and below what a script in a loop does. */
const uploadsAMinute = 3000;

type Options = {
  config: Config;
  quota: Quota;
  ingest: Ingest;
  deletion: Deletion;
  admission: Admission;
  delivery: Delivery;
  /** What is kept in memory of a link tells its name. */
  forget: (linkKey: string) => void;
};

export const imageRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, quota, ingest, deletion, admission, delivery, forget } = options;
  const strip = config.stripLocation === 'on';
  const upload = createUpload(ingest, { ...config, quota });
  const running = createRunning();
  // A stop waits for what an upload or a deletion still has to clear away, also one that was cut.
  app.addHook('onClose', () => running.settled());

  /** Before a byte of the body is read. What filled the account may be the same files, whose answer was lost. */
  const refuseFull = async (request: FastifyRequest) => {
    const { account } = request;
    if (!isFull(heldBy(account), quota)) return;
    const stored = await findUploaded(app.db, account.id, readUploadKeys(request));
    if (stored.length === 0) throw quotaExceeded(heldBy(account), quota);
  };

  const uploading = {
    onRequest: [app.guard, refuseFull, admission.enter],
    config: perAccount('upload', uploadsAMinute, minute),
    schema: { response: { 201: UploadAnswer, 207: UploadAnswer } },
  };
  app.post('/upload', uploading, async (request, reply) => {
    const origin = pictureOrigin(request, config);
    const { rows, rejected } = await running.add(upload(request, request.account.id, whenGone(reply)));
    return reply
      .code(rejected.length > 0 ? 207 : 201)
      .send({ images: rows.map((row) => storedAnswer(row, origin, strip)), rejected });
  });

  const listing = { onRequest: app.guard, schema: { querystring: ListQuery, response: { 200: ImagePage } } };
  app.get('/', listing, async (request) => {
    const page = readPage(request.query.page);
    const search = readSearch(request.query.search);
    const origin = pictureOrigin(request, config);
    const asked = { page, size: config.pageSize };
    const order = readOrder(request.query);
    const { texts, filters, notes } = readWords(search);
    const { account } = request;
    const isWhole = texts.length === 0 && Object.keys(filters).length === 0;
    const found = isWhole
      ? { ...(await pageOfImages(app.db, account.id, asked, { order })), isEstimate: false }
      : await searchImages(
          app.db,
          { ownerId: account.id, images: account.imageCount },
          { texts, filters, order },
          asked,
        );
    return {
      images: found.images.map((row) => imageAnswer(row, origin, strip)),
      page,
      total: found.total,
      total_is_estimate: found.isEstimate,
      totalPages: Math.ceil(found.total / config.pageSize),
      ...(notes.length > 0 ? { search_notes: notes } : {}),
    };
  });

  app.get('/usage', { onRequest: app.guard, schema: { response: { 200: Usage } } }, async (request) => {
    const held = heldBy(request.account);
    return { ...held, max_images: quota.images ?? null, max_bytes: quota.bytes ?? null };
  });

  const changing = {
    onRequest: app.guard,
    schema: { params: Type.Object({ id: Type.String() }), body: ImageChange, response: { 200: ImageAnswer } },
  };
  app.patch('/:id', changing, async (request) => {
    const change = readChange(request.body);
    const { id } = request.params;
    const own = { ownerId: request.account.id, id };
    const row = isUuid(id) ? await renameImage(app.db, own, change) : undefined;
    if (!row) throw noSuchImage();
    forget(row.linkKey);
    return { image: imageAnswer(row, pictureOrigin(request, config), strip) };
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/original',
    onRequest: app.guard,
    schema: { params: Type.Object({ id: Type.String() }) },
    handler: async (request, reply) => {
      const { id } = request.params;
      const row = isUuid(id) ? await findOwnImage(app.db, request.account.id, id) : undefined;
      if (!row) throw noSuchImage();
      setPrivateHeaders(reply, row.contentType);
      reply.header('content-disposition', disposition(row, 'attachment'));
      const open = delivery.originals.open.bind(undefined, row);
      return sendBytes({ size: row.size, etag: `"${row.sha256}"`, open }, request, reply);
    },
  });

  await app.register(async (plain) => {
    ignoreBodies(plain);
    const scope = plain.withTypeProvider<TypeBoxTypeProvider>();
    const deleting = {
      onRequest: app.guard,
      schema: { params: Type.Object({ id: Type.String() }), response: { 204: Type.Null() } },
    };
    scope.delete('/delete/:id', deleting, async (request, reply) => {
      const { id } = request.params;
      const deleted = isUuid(id) && (await running.add(deletion(request.account.id, id)));
      if (!deleted) throw noSuchImage();
      return reply.code(204).send(null);
    });
  });
};
