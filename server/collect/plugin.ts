/** Collect links: anyone who has one adds images to an album of its owner, without an account. */
import multipart from '@fastify/multipart';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { createPictureCodes } from '../shares/picture-codes.ts';
import { createAdmission } from './admission.ts';
import { createGuestCookies } from './cookie.ts';
import { entryRoutes } from './entry-routes.ts';
import { showGuest } from './guest-image.ts';
import { guestImages } from './image-routes.ts';
import { guestPictures } from './picture-routes.ts';
import { previewRoute } from './preview-route.ts';
import { deleteOldGuests } from './public-queries.ts';
import { deleteOldLinks } from './queries.ts';
import { collectLinkRoutes } from './routes.ts';
import { guestUploads } from './upload-routes.ts';
import { waitingRoutes } from './waiting-routes.ts';

type Options = {
  config: Config;
  /** Shared by all servers of this gallery. */
  secret: string;
};

export const collect = fp<Options>(
  async (app, { config, secret }) => {
    const { db } = app;
    const cookies = createGuestCookies(config.publicUrl);
    const admission = createAdmission(db, cookies);
    const codesOf = createPictureCodes(secret);
    const show = showGuest(codesOf, config.publicUrl);
    app.sweeps.add('ended collect links', () => deleteOldLinks(db));
    app.sweeps.add('guests without images', () => deleteOldGuests(db));
    app.decorateRequest('collect');
    await app.register(collectLinkRoutes, { prefix: '/api/collect-links', config });
    await app.register(waitingRoutes, { prefix: '/api/collect-links/waiting', config });
    const prefix = '/c/:key';
    await app.register(previewRoute, { prefix, config, admission });
    await app.register(entryRoutes, { prefix, config, admission, cookies });
    await app.register(guestImages, { prefix, config, admission, codesOf, show });
    await app.register(guestPictures, { prefix, admission, codesOf });
    await app.register(
      async (scope) => {
        // A file over the limit is one refused file, not the end of the request.
        await scope.register(multipart, { throwFileSizeLimit: false });
        await scope.register(guestUploads, { config, admission, codesOf, show });
      },
      { prefix },
    );
  },
  { name: 'collect', dependencies: ['guard', 'fair-share', 'delivery', 'ingest', 'background'] },
);
