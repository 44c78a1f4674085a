/** Uploads by guests: the same ingest as for accounts, as a form or resumable (tus). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { GuestResumableUpload, GuestUploadAnswer, UploadedIds } from '../contract.ts';
import {
  CollectEnded,
  CollectFull,
  ForeignOrigin,
  GalleryFull,
  GuestNeeded,
  InvalidRequest,
  NotFound,
} from '../errors.ts';
import { perAddress } from '../http/limits/rate-limit.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withoutLogin } from '../http/scopes.ts';
import { isFull, quotaOf, serverQuota } from '../images/quota.ts';
import { refusalsOfForms } from '../ingest/form-uploads.ts';
import { assertGuestTurn, collectFull, keepingOfGuest, leftOf } from '../ingest/guest-queries.ts';
import { findUploaded } from '../ingest/insertion-queries.ts';
import { type Callers, uploadRoutes } from '../ingest/tus/routes.ts';
import { sendAsJson } from '../ingest/upload-answer.ts';
import { readUploadKeys } from '../ingest/upload-keys.ts';
import { maxKeys } from '../ingest/uploaded-route.ts';
import type { createPictureCodes } from '../shares/picture-codes.ts';
import type { Admission } from './admission.ts';
import { guestGuard, keyOf } from './guest-hooks.ts';
import type { ShowGuest } from './guest-image.ts';
import { KeyParams, looking, sending } from './limits.ts';
import { collectedBy, imageOfGuest, pathOf, sentNames } from './public-queries.ts';

type Options = {
  config: Config;
  admission: Admission;
  codesOf: ReturnType<typeof createPictureCodes>;
  show: ShowGuest;
};

const ofGuests = [CollectEnded, CollectFull, GalleryFull, GuestNeeded, ForeignOrigin];

export const guestUploads: FastifyPluginAsyncTypebox<Options> = async (app, { config, admission, codesOf, show }) => {
  const { formUploads, uploads, admit } = app.ingest;
  const guard = guestGuard(app, admission);
  const quota = serverQuota(config);

  /** Before the body is read. A retry of stored files is accepted: its response may have been lost. */
  async function refuseFull(request: FastifyRequest): Promise<void> {
    const { link } = request.collect;
    assertGuestTurn(link.id);
    const collected = await collectedBy(app.db, link);
    const left = leftOf(collected);
    const isLinkFull = left.images < 1 || left.bytes < 1;
    if (!isLinkFull && !isFull(link.held, quotaOf(link.held, quota))) return;
    const stored = await findUploaded(app.db, link.ownerId, readUploadKeys(request));
    if (stored.length === 0) throw isLinkFull ? collectFull(collected) : new GalleryFull();
  }

  const sendingForm = {
    onRequest: [guard, refuseFull, admit],
    config: { ...sending, ...withoutLogin, ...refuses(...refusalsOfForms, ...ofGuests) },
    schema: {
      operationId: 'addGuestImages',
      summary: 'Add images by a collect link, as a form',
      params: KeyParams,
      response: { 201: GuestUploadAnswer, 207: GuestUploadAnswer },
    },
  };
  app.post('/upload', sendingForm, async (request, reply) => {
    const { link, guest } = request.collect;
    const form = { field: 'images', keepingOf: () => keepingOfGuest(guest.id) };
    const results = await formUploads.receive(request, reply, form);
    const ids = results.flatMap((one) => ('row' in one ? one.row.id : []));
    const names = await sentNames(app.db, guest.id, ids);
    return sendAsJson(reply, results, (row) => show(request, link, row, names.get(row.id) ?? ''));
  });

  const lookingUp = {
    onRequest: guard,
    config: { ...looking, ...withoutLogin, ...refuses(NotFound, ...ofGuests) },
    schema: {
      operationId: 'findGuestUploads',
      summary: "Find the guest's images by their upload keys",
      params: KeyParams,
      response: { 200: UploadedIds },
    },
  };
  app.get('/uploaded', lookingUp, async (request) => {
    const { link } = request.collect;
    const keys = readUploadKeys(request);
    if (keys.length > maxKeys) throw new InvalidRequest(`Upload-Keys may name at most ${maxKeys} keys here.`);
    const found = await findUploaded(app.db, link.ownerId, keys);
    const codes = new Map(found.map(({ uploadKey, id }) => [uploadKey, codesOf(link.id).codeOf(id)]));
    return { ids: keys.map((key) => codes.get(key) ?? null) };
  });

  const callers: Callers = {
    guard,
    scopes: withoutLogin,
    limit: (name, max, windowMs) => perAddress(`guest-${name}`, max, windowMs),
    refusals: ofGuests,
    operationId: (name) => `${name}OfGuest`,
    params: KeyParams.properties,
    pathOf: (request) => `${pathOf(keyOf(request))}/uploads`,
    Answer: GuestResumableUpload,
  };
  await app.register(uploadRoutes, {
    prefix: '/uploads',
    uploads,
    admit,
    callers,
    async showImage(request, _upload, imageId) {
      const { link, guest } = request.collect;
      const found = await imageOfGuest(app.db, guest.id, imageId);
      return found && show(request, link, found.row, found.filename);
    },
  });
};
