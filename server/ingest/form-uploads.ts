/** What all upload APIs with forms share: the checks before the body is read, and the wait for a shutdown. */
import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import {
  AlbumFull,
  BrokenUpload,
  DecoderUnavailable,
  NoFile,
  NoSpace,
  NotFound,
  StorageUnavailable,
  TooManyFields,
  TooManyFiles,
} from '../errors.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withScope } from '../http/scopes.ts';
import { heldBy, isFull, type Quota, quotaExceeded, quotaOf } from '../images/quota.ts';
import { createPending } from '../lib/pending.ts';
import type { Admission } from './admission.ts';
import type { Ingest } from './ingest.ts';
import { findUploaded } from './insertion-queries.ts';
import { refusalsOfFiles } from './refusal.ts';
import { createUpload, type Form, type Result } from './upload.ts';
import { readUploadKeys } from './upload-keys.ts';

const minute = 60_000;
/** 50 a second, with up to 100 files each: more than people send, and less than a script in a loop. */
const uploadsAMinute = 3000;

/** Of a route that receives a form. */
export const refusalsOfForms = [
  ...[...refusalsOfFiles, NoFile, BrokenUpload, TooManyFiles, TooManyFields, NotFound, AlbumFull],
  ...[DecoderUnavailable, StorageUnavailable, NoSpace],
];

/** The `config` of a route; all of them share the limit. */
export const uploading = {
  ...perAccount('upload', uploadsAMinute, minute),
  ...withScope('images:upload'),
  ...refuses(...refusalsOfForms),
};

/** Aborted, with the refusal as its reason, once the client has disconnected. */
function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // One listener for each picture of the upload.
  setMaxListeners(0, gone.signal);
  onResponseEnd(reply.raw, () => gone.abort(new BrokenUpload('the connection was lost')));
  return gone.signal;
}

type Parts = {
  config: Pick<Config, 'maxFileSize' | 'maxFiles'>;
  /** The server's. */
  quota: Quota;
  ingest: Ingest;
  admission: Admission;
};

export type FormUploads = ReturnType<typeof createFormUploads>;

export function createFormUploads(app: FastifyInstance, { config, quota, ingest, admission }: Parts) {
  const upload = createUpload(ingest, config);
  const pending = createPending();
  // A shutdown waits until an upload, also an aborted one, has cleaned up.
  app.shutdown.onClose('cleanup after uploads', () => pending.settled());

  /** A retry of stored files is accepted: its response may have been lost. */
  async function refuseFull(request: FastifyRequest): Promise<void> {
    const { account } = request;
    const limits = quotaOf(account, quota);
    if (!isFull(heldBy(account), limits)) return;
    const stored = await findUploaded(app.db, account.id, readUploadKeys(request));
    if (stored.length === 0) throw quotaExceeded(heldBy(account), limits);
  }

  return {
    /** A route's `onRequest`, before the body is read. @param check refuses what the API's headers request */
    admit: (check: (request: FastifyRequest, reply: FastifyReply) => Promise<void>) => [
      app.guard,
      check,
      refuseFull,
      admission.enter,
    ],

    /** A route's work. @returns rows and refusals in the order sent */
    receive(request: FastifyRequest, reply: FastifyReply, form: Form): Promise<Result[]> {
      request.endTurn();
      return pending.add(upload(request, form, whenGone(reply)));
    },
  };
}
