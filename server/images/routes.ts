import { setMaxListeners } from 'node:events';
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { UserRow } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import { UploadAnswer, Usage } from '../contract.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { disposition, setPrivateHeaders } from '../delivery/picture-headers.ts';
import { sendBytes } from '../delivery/streaming/send-bytes.ts';
import { BrokenUpload } from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { whenOver } from '../http/on-response-end.ts';
import type { Admission } from '../ingest/admission.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { findUploaded } from '../ingest/insertion-queries.ts';
import { createUpload } from '../ingest/upload.ts';
import { readUploadKeys } from '../ingest/upload-keys.ts';
import { pictureOrigin, storedAnswer } from './answer.ts';
import type { Deletion } from './deletion/deletion.ts';
import { findOwnImage } from './queries.ts';
import { isFull, type Quota, quotaExceeded } from './quota.ts';
import { noSuchImage } from './refusals.ts';

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

const heldBy = ({ imageCount, imageBytes }: Pick<UserRow, 'imageCount' | 'imageBytes'>) => ({
  images: imageCount,
  bytes: imageBytes,
});

const minute = 60_000;
/** Fifty a second: above what people do, a hundred files a request, and below what a script in a loop does. */
const uploadsAMinute = 3000;
/** A hundred a second: the page deletes a selection one by one, three at once. */
const deletionsAMinute = 6000;

type Options = {
  config: Config;
  quota: Quota;
  ingest: Ingest;
  deletion: Deletion;
  admission: Admission;
  delivery: Delivery;
};

export const imageRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, quota, ingest, deletion, admission, delivery } = options;
  const strip = config.stripLocation === 'on';
  const upload = createUpload(ingest, { ...config, quota });
  const running = createRunning();
  // A stop waits for what an upload or a deletion still has to clear away, also one that was cut.
  app.onEnd('cleanup after uploads and deletions', () => running.settled());

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
    request.endTurn();
    const origin = pictureOrigin(request, config);
    const { rows, rejected } = await running.add(upload(request, request.account.id, whenGone(reply)));
    return reply
      .code(rejected.length > 0 ? 207 : 201)
      .send({ images: rows.map((row) => storedAnswer(row, origin, strip)), rejected });
  });

  app.get('/usage', { onRequest: app.guard, schema: { response: { 200: Usage } } }, async (request) => {
    const held = heldBy(request.account);
    return { ...held, max_images: quota.images ?? null, max_bytes: quota.bytes ?? null };
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
      request.endTurn();
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
      config: perAccount('deletion', deletionsAMinute, minute),
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
