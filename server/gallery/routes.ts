import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { Config } from '../config/config.ts';
import { ImageAnswer, ImageChange, ImagePage, Usage } from '../contract.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { InvalidRequest } from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { perAccount, tooManyRequests } from '../http/limits/rate-limit.ts';
import { pictureOrigin } from '../http/link-origin.ts';
import { readPage } from '../http/page-number.ts';
import { imageAnswer } from '../images/answer.ts';
import { cleanFilename } from '../images/filename.ts';
import { renameImage } from '../images/queries.ts';
import { heldBy } from '../images/quota.ts';
import { noSuchImage } from '../images/refusals.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import { createPending } from '../lib/pending.ts';
import { cleanDescription } from './description.ts';
import { readOrder } from './order.ts';
import { pageOfImages } from './pages.ts';
import { searchImages } from './search.ts';
import { readWords } from './search-words.ts';

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

export const galleryRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';
  // A rename may take five seconds. An account runs one at a time, so that list connections stay free.
  const renaming = createKeyedMutex();

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
      totalPages: Math.ceil(found.total / config.pageSize),
      ...(notes.length > 0 ? { search_notes: notes } : {}),
    };
  });

  const changing = {
    onRequest: app.guard,
    config: perAccount('image', changesAMinute, minute),
    schema: { params: Type.Object({ id: Type.String() }), body: ImageChange, response: { 200: ImageAnswer } },
  };
  app.patch('/:id', changing, async (request) => {
    const change = readChange(request.body);
    const { id } = request.params;
    const own = { ownerId: request.account.id, id };
    if (renaming.inside(own.ownerId) > maxWaiting) throw tooManyRequests(comeBack);
    const rename = () => request.runFairly((lists) => renameImage(lists, own, change));
    const row = isUuid(id) ? await renaming(own.ownerId, rename) : undefined;
    if (!row) throw noSuchImage();
    // Cached answers contain the name.
    app.images.links.forget(row.linkKey);
    return { image: imageAnswer(row, pictureOrigin(request, config), strip) };
  });

  app.get('/usage', { onRequest: app.guard, schema: { response: { 200: Usage } } }, async (request) => {
    const held = heldBy(request.account);
    return { ...held, max_images: config.quotaImages ?? null, max_bytes: config.quota ?? null };
  });

  const pending = createPending();
  // A shutdown waits until a deletion has removed the bytes.
  app.shutdown.onClose('cleanup after deletions', () => pending.settled());

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
      const deleted = isUuid(id) && (await pending.add(app.images.delete(request.account.id, id)));
      if (!deleted) throw noSuchImage();
      return reply.code(204).send(null);
    });
  });
};
