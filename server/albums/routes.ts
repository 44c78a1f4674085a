import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { type Album, AlbumAnswer, AlbumList, AlbumPage } from '../contract.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { InvalidRequest, TooManyAlbums } from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { readPage } from '../http/page-number.ts';
import { withScope } from '../http/scopes.ts';
import { ImageId } from '../images/image-ids.ts';
import { albumAnswers, imagesInOrder } from './answer.ts';
import { albumImageRoutes } from './image-routes.ts';
import { albumLinkRoutes } from './link-routes.ts';
import { albumName } from './names.ts';
import { findAlbum, listAlbums, pageOfAlbum } from './pages.ts';
import { changeAlbum, deleteAlbum, insertAlbum } from './queries.ts';
import { noSuchAlbum } from './refusals.ts';
import { AlbumId, albumIdOf, changing, ofAlbum } from './requests.ts';

const NewAlbum = Type.Object({ name: Type.String() });
const Changes = Type.Object({
  name: Type.Optional(Type.String()),
  cover: Type.Optional(Type.Union([ImageId, Type.Null()])),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
const PageQuery = Type.Object({ page: Type.Optional(Type.Unknown()) });

type Options = { config: Config };

export const albumRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  await app.register(listRoutes, { config }); // GET and POST /
  await app.register(readRoute, { config }); // GET /:id
  await app.register(changeRoute, { config }); // PATCH /:id
  await app.register(deleteRoute); // DELETE /:id
  await app.register(albumLinkRoutes, { config }); // POST and DELETE /:id/link
  await app.register(albumImageRoutes); // POST, PATCH and DELETE /:id/images, POST /holding
};

const listRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const listing = {
    onRequest: app.guard,
    config: withScope('albums:read'),
    schema: { operationId: 'listAlbums', summary: 'List albums', response: { 200: AlbumList } },
  };
  app.get('/', listing, async (request) => {
    const { account, access } = request;
    return request.runFairly(async (lists) => {
      const albums = await listAlbums(lists, access);
      return { albums: await albumAnswers(config, lists, account.id, albums, linkOrigin(request, config.publicUrl)) };
    });
  });

  const creating = {
    onRequest: app.guard,
    config: { ...changing, ...refuses(TooManyAlbums), beyondAlbum: true },
    schema: {
      operationId: 'createAlbum',
      summary: 'Create an album',
      body: NewAlbum,
      response: { 201: AlbumAnswer },
    },
  };
  app.post('/', creating, async (request, reply) => {
    const name = albumName(request.body.name);
    const { account } = request;
    const { album } = await request.runFairly(async (lists) =>
      readAlbum(config, lists, request, await insertAlbum(app.db, account.id, name)),
    );
    return reply.code(201).send({ album });
  });
};

const readRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const { pageSize } = config;
  const reading = {
    onRequest: app.guard,
    config: { ...withScope('albums:read'), ...ofAlbum },
    schema: {
      operationId: 'getAlbum',
      summary: 'Read an album and a page of its images',
      params: AlbumId,
      querystring: PageQuery,
      response: { 200: AlbumPage },
    },
  };
  app.get('/:id', reading, async (request) => {
    const page = readPage(request.query.page);
    const id = albumIdOf(request);
    const { account } = request;
    return request.runFairly(async (lists) => {
      const { album, count } = await readAlbum(config, lists, request, id);
      const ids = await pageOfAlbum(lists, account.id, { id, count }, { page, size: pageSize });
      const images = await imagesInOrder(config, lists, account.id, ids, linkOrigin(request, config.publicUrl));
      return { album, images, page, total: count, totalPages: Math.ceil(count / pageSize) };
    });
  });
};

const changeRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const changingOne = {
    onRequest: app.guard,
    config: { ...changing, ...ofAlbum },
    schema: {
      operationId: 'changeAlbum',
      summary: 'Rename or move an album, or choose its cover',
      params: AlbumId,
      body: Changes,
      response: { 200: AlbumAnswer },
    },
  };
  app.patch('/:id', changingOne, async (request) => {
    const id = albumIdOf(request);
    const { name, cover, position } = request.body;
    if (name === undefined && cover === undefined && position === undefined) {
      throw new InvalidRequest('Nothing was given to change: a name, a cover or a position.');
    }
    const changes = {
      name: name === undefined ? undefined : albumName(name),
      cover: cover?.toLowerCase() ?? cover,
      position,
    };
    const { account } = request;
    const { album } = await request.runFairly(async (lists) => {
      await changeAlbum(app.db, account.id, id, changes);
      return readAlbum(config, lists, request, id);
    });
    return { album };
  });
};

const deleteRoute: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  // A restricted token would end with its album.
  const deleting = {
    onRequest: app.guard,
    config: { ...changing, ...ofAlbum, beyondAlbum: true },
    schema: {
      operationId: 'deleteAlbum',
      summary: 'Delete an album and keep its images',
      params: AlbumId,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', deleting, async (request, reply) => {
    const { account } = request;
    const isGone = await request.runFairly(() => deleteAlbum(app.db, account.id, albumIdOf(request)));
    if (!isGone) throw noSuchAlbum();
    return reply.code(204).send(null);
  });
};

/** @param lists connections from `runFairly` */
async function readAlbum(
  config: Config,
  lists: ClientDatabase,
  request: FastifyRequest,
  id: string,
): Promise<{ album: Album; count: number }> {
  const { account } = request;
  const row = await findAlbum(lists, account.id, id);
  if (!row) throw noSuchAlbum();
  const [album] = await albumAnswers(config, lists, account.id, [row], linkOrigin(request, config.publicUrl));
  if (!album) throw noSuchAlbum();
  return { album, count: row.count };
}
