/** The images that a guest sees: their own, and the album's if the link is open. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { contentsOf, pageOfAlbum } from '../albums/pages.ts';
import type { Config } from '../config/config.ts';
import { GuestPage } from '../contract.ts';
import { everythingOf } from '../database/statements/access.ts';
import { inLinkMutex } from '../database/statements/owner-mutex.ts';
import { CollectEnded, ForeignOrigin, GuestNeeded, NotFound } from '../errors.ts';
import { findShown } from '../gallery/pages.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { forVisitors } from '../http/limits/fair-share.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { readPage } from '../http/page-number.ts';
import { withoutLogin } from '../http/scopes.ts';
import { endOf, hasEnded } from '../images/expiry/expiry.ts';
import { noSuchImage } from '../images/refusals.ts';
import { assertGuestTurn } from '../ingest/guest-queries.ts';
import { createPending } from '../lib/pending.ts';
import type { createPictureCodes } from '../shares/picture-codes.ts';
import { type Admission, nothingCollected } from './admission.ts';
import { guestGuard } from './guest-hooks.ts';
import type { ShowGuest } from './guest-image.ts';
import { ImageParams, KeyParams, looking, removing } from './limits.ts';
import { imageOfGuest, imagesOfGuest, sentNames } from './public-queries.ts';

type Options = {
  config: Config;
  admission: Admission;
  codesOf: ReturnType<typeof createPictureCodes>;
  show: ShowGuest;
};

const refusals = [NotFound, CollectEnded, GuestNeeded];
const Query = Type.Object({ page: Type.Optional(Type.Unknown()) });

export const guestImages: FastifyPluginAsyncTypebox<Options> = async (app, { config, admission, codesOf, show }) => {
  const size = config.pageSize;

  const own = {
    onRequest: guestGuard(app, admission, 'know'),
    config: { ...looking, ...withoutLogin, ...refuses(...refusals) },
    schema: {
      operationId: 'listGuestImages',
      summary: 'List the images that the guest added',
      params: KeyParams,
      querystring: Query,
      response: { 200: GuestPage },
    },
  };
  app.get('/images', own, async (request) => {
    const { link, guest } = request.collect;
    const page = readPage(request.query.page);
    const read = () => imagesOfGuest(app.db, guest.id, { page, size });
    const { images, total } = await app.runFairly(link.id, read, forVisitors(request));
    const shown = images.map(({ row, filename }) => show(request, link, row, filename));
    return { images: shown, page, total, totalPages: Math.ceil(total / size) };
  });

  const album = {
    config: { ...looking, ...withoutLogin, ...refuses(...refusals) },
    schema: {
      operationId: 'listCollectAlbum',
      summary: 'List the album of an open collect link',
      params: KeyParams,
      querystring: Query,
      response: { 200: GuestPage },
    },
  };
  app.get('/album', album, async (request) => {
    const page = readPage(request.query.page);
    const { link, guest } = await admission.see(request, request.params.key);
    if (!link.open) throw nothingCollected();
    const { ownerId, albumId: id } = link;
    const found = await app.runFairly(
      link.id,
      async (lists) => {
        const { count, hidden } = await contentsOf(lists, { id, ownerId });
        const ids = await pageOfAlbum(lists, ownerId, { id, count }, { page, size });
        const rows = ids.length === 0 ? [] : await findShown(lists, ownerId, ids);
        const names = guest ? await sentNames(lists, guest.id, ids) : new Map<string, string>();
        return { count, hidden, names, rows: ids.flatMap((one) => rows.find((row) => row.id === one) ?? []) };
      },
      forVisitors(request),
    );
    const open = found.rows.filter((row) => row.hiddenAt === null && !hasEnded(endOf(row)));
    const images = open.map((row) => show(request, link, row, found.names.get(row.id)));
    return { images, page, total: found.count - found.hidden, totalPages: Math.ceil(found.count / size) };
  });

  await app.register(removal, { admission, codesOf });
};

const removal: FastifyPluginAsyncTypebox<Pick<Options, 'admission' | 'codesOf'>> = async (
  app,
  { admission, codesOf },
) => {
  ignoreBodies(app);
  const pending = createPending();
  app.shutdown.onClose('cleanup after removals', () => pending.settled());
  const deleting = {
    onRequest: guestGuard(app, admission, 'know'),
    config: { ...removing, ...withoutLogin, ...refuses(...refusals, ForeignOrigin) },
    schema: {
      operationId: 'removeGuestImage',
      summary: 'Remove an image that the guest added',
      params: ImageParams,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/images/:code', deleting, async (request, reply) => {
    const { link, guest } = request.collect;
    const imageId = codesOf(link.id).imageOf(request.params.code);
    assertGuestTurn(link.id);
    const remove = async () => {
      const found = imageId === undefined ? undefined : await imageOfGuest(app.db, guest.id, imageId);
      return found && app.images.delete(everythingOf(link.ownerId), found.row.id);
    };
    if (!(await pending.add(inLinkMutex(link.id, remove)))) throw noSuchImage();
    return reply.code(204).send(null);
  });
};
