import multipart from '@fastify/multipart';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { createDeleteKeys } from '../images/links/delete-keys.ts';
import { findOwnImage } from '../images/queries.ts';
import { serverQuota } from '../images/quota.ts';
import { noReserve } from '../storage/reserve/reserve.ts';
import { withinReserve } from '../storage/reserve/within-reserve.ts';
import { type Admission, type AdmissionLimits, admissionOf, createAdmission } from './admission.ts';
import { cheveretoRoute } from './compatible/chevereto.ts';
import { ziplineRoute } from './compatible/zipline.ts';
import { createDeduplication } from './deduplication.ts';
import { createFormUploads, type FormUploads } from './form-uploads.ts';
import { createIngest } from './ingest.ts';
import { ingestRoutes } from './routes.ts';
import { showStored } from './show-stored.ts';
import { accounts, uploadRoutes } from './tus/routes.ts';
import { createUploads, type Uploads } from './tus/uploads.ts';
import { uploadedRoute } from './uploaded-route.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For upload APIs of other rooms. */
    ingest: { formUploads: FormUploads; uploads: Uploads; admit: Admission['enter'] };
  }
}

type Options = {
  config: Config;
  share: { of: (whole: number) => number };
  limits?: Partial<AdmissionLimits> | undefined;
  /** Shared by all servers of this gallery. */
  secret: string;
};

/** The upload APIs: forms, those of other products among them, and resumable uploads (tus). */
export const ingest = fp<Options>(
  async (app, { config, share, limits, secret }) => {
    const { db, decoder, reserve, monitoring, renditions } = app;
    const { checksums, orphanedBlobs } = app.images;
    const { maxFileSize } = config;
    const quota = serverQuota(config);
    const storage = reserve === noReserve ? app.storage : withinReserve(app.storage, reserve);
    const admission = createAdmission({
      limits: { ...admissionOf(share.of), ...limits },
      reserve,
      maxBytes: maxFileSize,
      pending: decoder.pending,
    });
    const ingest = createIngest({
      db,
      process: app.database.processRegistry.number,
      quota,
      storage,
      deduplication: createDeduplication({ db, decoder, checksums, inPart: admission.inPart }),
      orphanedBlobs,
      onStored: renditions.queue,
      meter: monitoring.ingestMeter,
    });
    const deleteKeys = createDeleteKeys(secret);
    const show = showStored(config, deleteKeys);
    const uploads = createUploads({
      db,
      partials: storage.partials,
      room: async () => Math.min(await storage.partials.room(), await reserve.room()),
      ingest,
      quota,
      maxFileSize,
      deleteKeys,
    });
    app.sweeps.add('uploads', uploads.sweep);
    app.shutdown.onClose('uploads', uploads.settled);
    // These run in reverse order: a shutdown aborts decoding before it waits for resumable uploads.
    app.shutdown.onClose('decoding of uploads', () => decoder.close());
    const formUploads = createFormUploads(app, { config, quota, ingest, admission });
    app.decorate('ingest', { formUploads, uploads, admit: admission.enter });
    await app.register(
      async (scope) => {
        // A file over the limit is one refused file, not the end of the request.
        await scope.register(multipart, { throwFileSizeLimit: false });
        const options = { formUploads, deleteKeys, show };
        await scope.register(ingestRoutes, { prefix: '/images', ...options });
        await scope.register(uploadedRoute, { prefix: '/images' });
        await scope.register(ziplineRoute, options);
        await scope.register(cheveretoRoute, options);
      },
      { prefix: '/api' },
    );
    await app.register(uploadRoutes, {
      prefix: '/api/uploads',
      uploads,
      admit: admission.enter,
      callers: accounts(app, '/api/uploads'),
      async showImage(request, upload, imageId) {
        const row = await findOwnImage(db, request.access, imageId);
        return row && show(request, row, upload);
      },
    });
  },
  { name: 'ingest', dependencies: ['decoder', 'renditions', 'guard'] },
);
