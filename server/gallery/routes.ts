import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import { ImageAnswer, ImageChange, ImagePage, Usage } from '../contract.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { InvalidRequest, NotFound, SearchTooLarge } from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { perAccount, tooManyRequests } from '../http/limits/rate-limit.ts';
import { pictureOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { readDeleted, readPage } from '../http/page-number.ts';
import { assertScope, withScope } from '../http/scopes.ts';
import { imageAnswer } from '../images/answer.ts';
import { cleanDescription } from '../images/description.ts';
import { cleanFilename } from '../images/filename.ts';
import { changeImage, findOwnImage, type ImageChanges } from '../images/queries.ts';
import { heldBy, quotaOf, serverQuota } from '../images/quota.ts';
import { noSuchImage } from '../images/refusals.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import { createPending } from '../lib/pending.ts';
import { withinReach } from './conditions.ts';
import { expiringRoute } from './expiring-route.ts';
import { assertEndAllowed, isEarlier, readEnd } from './expiry-change.ts';
import { readOrder } from './order.ts';
import { pageOfImages, pagesOf } from './pages.ts';
import { rotateRoute } from './rotate-route.ts';
import { searchImages } from './search.ts';
import { readWords } from './search-words.ts';
import { readTimeZone } from './time-zone.ts';

const ListQuery = Type.Object({
  page: Type.Optional(Type.Unknown()),
  deleted: Type.Optional(Type.Unknown()),
  search: Type.Optional(Type.Unknown()),
  sort: Type.Optional(Type.Unknown()),
  order: Type.Optional(Type.Unknown()),
  language: Type.Optional(Type.Unknown()),
  time_zone: Type.Optional(Type.Unknown()),
});

function readSearch(search: unknown): string {
  if (search === undefined) return '';
  if (typeof search === 'string') return search;
  throw new InvalidRequest('The search must be one text.');
}

function readChange(sent: ImageChange): ImageChanges {
  const { filename, description } = sent;
  const expiresAt = readEnd(sent);
  if (filename === undefined && description === undefined && expiresAt === undefined) {
    throw new InvalidRequest('Send a filename, a description, or when the image expires.');
  }
  const name = filename === undefined ? undefined : cleanFilename(filename, '');
  if (name === '') throw new InvalidRequest('The filename is empty.');
  return {
    filename: name,
    description: description === undefined ? undefined : cleanDescription(description),
    expiresAt,
  };
}

const minute = 60_000;
/** Ten a second, as for albums. */
const changesAMinute = 600;
/** Waiting changes of an account; a page sends one at a time. */
const maxWaiting = 10;
/** Milliseconds until a refused change may be repeated. */
const comeBack = 5000;
/** 100 a second: the page deletes the images of a selection one by one, three at once. */
const deletionsAMinute = 6000;

type Options = {
  config: Config;
};

const ImageId = Type.Object({ id: Type.String() });

export const galleryRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  await app.register(listRoute, { config }); // GET /
  await app.register(readRoutes, { config }); // GET /:id and /usage
  await app.register(changeRoute, { config }); // PATCH /:id
  await app.register(deleteRoute); // DELETE /delete/:id
  await app.register(rotateRoute, { config }); // POST /rotate
  await app.register(expiringRoute, { config }); // GET /expiring
};

const listRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';
  const listing = {
    onRequest: app.guard,
    config: { ...withScope('images:read'), ...refuses(SearchTooLarge) },
    schema: {
      operationId: 'listImages',
      summary: 'List and search images',
      querystring: ListQuery,
      response: { 200: ImagePage },
    },
  };
  app.get('/', listing, async (request) => {
    const page = readPage(request.query.page);
    const search = readSearch(request.query.search);
    const origin = pictureOrigin(request, config);
    const asked = { page, size: config.pageSize, deleted: readDeleted(request.query.deleted) };
    const order = readOrder(request.query);
    const { account, access } = request;
    const { texts, filters: sent, notes } = readWords(search, readTimeZone(request.query.time_zone));
    const filters = withinReach(sent, access);
    const isWhole = texts.length === 0 && Object.keys(filters).length === 0;
    const owner = { ownerId: account.id, images: account.imageCount };
    const show = async (lists: ClientDatabase) =>
      isWhole
        ? { ...(await pageOfImages(lists, account.id, asked, { order })), isEstimate: false }
        : searchImages(lists, owner, { texts, filters, order }, asked);
    // Every page by date is fast (pages.ts), so it does not wait for slow lists.
    const found = await (isWhole && order.by === 'date' ? show(app.db) : request.runFairly(show));
    return {
      images: found.images.map((row) => imageAnswer(row, origin, strip)),
      page,
      total: found.total,
      total_is_estimate: found.isEstimate,
      totalPages: pagesOf(found.total, asked),
      ...(notes.length > 0 ? { search_notes: notes } : {}),
    };
  });
};

const readRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';
  const reading = {
    onRequest: app.guard,
    config: { ...withScope('images:read'), ...refuses(NotFound) },
    schema: { operationId: 'getImage', summary: 'Read an image', params: ImageId, response: { 200: ImageAnswer } },
  };
  app.get('/:id', reading, async (request) => {
    const { id } = request.params;
    const row = isUuid(id) ? await findOwnImage(app.db, request.access, id) : undefined;
    if (!row) throw noSuchImage();
    return { image: imageAnswer(row, pictureOrigin(request, config), strip) };
  });

  const summing = {
    onRequest: app.guard,
    config: withScope('images:upload'),
    schema: { operationId: 'getUsage', summary: 'Read what the account stores', response: { 200: Usage } },
  };
  app.get('/usage', summing, async (request) => {
    const limits = quotaOf(request.account, serverQuota(config));
    return { ...heldBy(request.account), max_images: limits.images ?? null, max_bytes: limits.bytes ?? null };
  });
};

const changeRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';
  // A rename may take five seconds. An account runs one at a time, so that list connections stay free.
  const renaming = createKeyedMutex();
  const changing = {
    onRequest: app.guard,
    config: { ...perAccount('image', changesAMinute, minute), ...withScope('images:write'), ...refuses(NotFound) },
    schema: {
      operationId: 'changeImage',
      summary: 'Rename or describe an image, or change when it expires',
      params: ImageId,
      body: ImageChange,
      response: { 200: ImageAnswer },
    },
  };
  app.patch('/:id', changing, async (request, reply) => {
    const change = readChange(request.body);
    const { id } = request.params;
    const { access: reach } = request;
    const { expiresAt } = change;
    const check = (image: Pick<ImageRow, 'uploadedAt' | 'expiresAt'>) => {
      if (expiresAt === undefined) return;
      if (isEarlier(expiresAt, image)) assertScope(reach, 'images:delete', reply);
      assertEndAllowed(expiresAt, reach, image);
    };
    if (renaming.inside(reach.ownerId) > maxWaiting) throw tooManyRequests(comeBack);
    const rename = () => request.runFairly((lists) => changeImage(lists, { reach, id, check }, change));
    const row = isUuid(id) ? await renaming(reach.ownerId, rename) : undefined;
    if (!row) throw noSuchImage();
    // Cached answers contain the name and the end.
    app.images.links.forget(row.linkKey);
    return { image: imageAnswer(row, pictureOrigin(request, config), strip) };
  });
};

const deleteRoute: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  const pending = createPending();
  // A shutdown waits until a deletion has removed the bytes.
  app.shutdown.onClose('cleanup after deletions', () => pending.settled());
  const deleting = {
    onRequest: app.guard,
    config: {
      ...perAccount('deletion', deletionsAMinute, minute),
      ...withScope('images:delete'),
      ...refuses(NotFound),
    },
    schema: {
      operationId: 'deleteImage',
      summary: 'Delete an image',
      params: ImageId,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/delete/:id', deleting, async (request, reply) => {
    const { id } = request.params;
    const deleted = isUuid(id) && (await pending.add(app.images.delete(request.access, id)));
    if (!deleted) throw noSuchImage();
    return reply.code(204).send(null);
  });
};
