import { setMaxListeners } from 'node:events';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { UploadAnswer } from '../contract.ts';
import {
  AlbumFull,
  BrokenUpload,
  DecoderUnavailable,
  NoFile,
  NoSpace,
  NotFound,
  StorageUnavailable,
  TooManyFiles,
} from '../errors.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withScope } from '../http/scopes.ts';
import type { DeleteKeys } from '../images/links/delete-keys.ts';
import { heldBy, isFull, type Quota, quotaExceeded } from '../images/quota.ts';
import { createPending } from '../lib/pending.ts';
import type { Admission } from './admission.ts';
import type { Ingest } from './ingest.ts';
import { findUploaded } from './insertion-queries.ts';
import { refusalsOfFiles } from './refusal.ts';
import type { ShowStored } from './show-stored.ts';
import { assertAlbum } from './target-album.ts';
import { createUpload } from './upload.ts';
import { sendResults } from './upload-answer.ts';
import { readUploadKeys } from './upload-keys.ts';
import { keepingOf, readOptions, type SentOptions } from './upload-options.ts';

/** Aborted, with the refusal as its reason, once the client has disconnected. */
function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // One listener for each picture of the upload.
  setMaxListeners(0, gone.signal);
  onResponseEnd(reply.raw, () => gone.abort(new BrokenUpload('the connection was lost')));
  return gone.signal;
}

const minute = 60_000;
/** 50 a second, with up to 100 files each: more than people send, and less than a script in a loop. */
const uploadsAMinute = 3000;

type Options = {
  config: Config;
  quota: Quota;
  ingest: Ingest;
  admission: Admission;
  deleteKeys: DeleteKeys;
  show: ShowStored;
};

const refusals = [
  ...refusalsOfFiles,
  ...[NoFile, BrokenUpload, TooManyFiles, NotFound, AlbumFull, DecoderUnavailable, StorageUnavailable, NoSpace],
];

const Query = Type.Object({
  album: Type.Optional(Type.Unknown()),
  expires_in: Type.Optional(Type.Unknown()),
  delete_link: Type.Optional(Type.Unknown()),
});

export const ingestRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, quota, ingest, admission, deleteKeys, show } = options;
  const upload = createUpload(ingest, { ...config, quota });
  const pending = createPending();
  // A shutdown waits until an upload, also an aborted one, has cleaned up.
  app.shutdown.onClose('cleanup after uploads', () => pending.settled());

  /** Checks the quota before the body is read. A retry of stored files is accepted: its response may have been lost. */
  const refuseFull = async (request: FastifyRequest) => {
    const { account } = request;
    if (!isFull(heldBy(account), quota)) return;
    const stored = await findUploaded(app.db, account.id, readUploadKeys(request));
    if (stored.length === 0) throw quotaExceeded(heldBy(account), quota);
  };

  const targetOf = ({ access, query }: FastifyRequest) => readOptions(access, query as SentOptions);

  /** Before the body is read, like the quota. */
  const refuseTarget = async (request: FastifyRequest) => assertAlbum(app.db, targetOf(request));

  const uploading = {
    onRequest: [app.guard, refuseTarget, refuseFull, admission.enter],
    config: { ...perAccount('upload', uploadsAMinute, minute), ...withScope('images:upload'), ...refuses(...refusals) },
    schema: {
      operationId: 'uploadImages',
      summary: 'Upload images as a form',
      querystring: Query,
      response: { 201: UploadAnswer, 207: UploadAnswer },
    },
  };
  app.post('/upload', uploading, async (request, reply) => {
    request.endTurn();
    const target = targetOf(request);
    const keeping = keepingOf(target, deleteKeys);
    const results = await pending.add(upload(request, { ownerId: target.ownerId, keeping }, whenGone(reply)));
    return sendResults(request, reply, results, (row) => show(request, row, target));
  });
};
