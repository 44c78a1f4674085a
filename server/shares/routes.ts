import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { albumPath } from '../albums/answer.ts';
import { type AlbumOfPage, closePage, hasPage, listPages } from '../albums/link-queries.ts';
import { noSuchAlbum } from '../albums/refusals.ts';
import { bodyLimit, sharing } from '../albums/requests.ts';
import type { ViewCounter } from '../albums/view-counter.ts';
import { actorOf, note } from '../audit/note.ts';
import type { Config } from '../config/config.ts';
import { NewShare, type Share, ShareAnswer, ShareChange, ShareList } from '../contract.ts';
import type { Transaction } from '../database/connect.ts';
import type { Reach } from '../database/statements/access.ts';
import { underOwnerLock } from '../database/statements/owner-lock.ts';
import {
  CommonPassword,
  InvalidName,
  InvalidRequest,
  NameReserved,
  NameTaken,
  NotFound,
  OneAlbumShared,
  PasswordIsName,
  ShortNameOpen,
  TooManyShares,
} from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { eachOnce } from '../images/image-ids.ts';
import { differs } from '../lib/differs.ts';
import { newShareKey } from './addresses.ts';
import { shareImageRoutes } from './image-routes.ts';
import { answerOf, noSuchShare, passwordChange, readOptions, shareName } from './options.ts';
import {
  changeShare,
  defaultLimits,
  endShare,
  insertShare,
  listShares,
  type NewShareRow,
  readShare,
} from './queries.ts';

/** An album's public page: a share without settings. */
const pageAnswer = ({ id, name, linkKey, count, views, createdAt }: AlbumOfPage, origin: string): Share => ({
  ...{ id, name, url: origin + albumPath(linkKey), album: id, count },
  ...{ short_name: null, guessable: false, protected: false, originals: true, details: true, download: false },
  ...{ expires_at: null, expired: false, views, created_at: createdAt.toISOString(), public_album: true },
});

/** The album or the images of a new share. @throws InvalidRequest, NotFound, OneAlbumShared */
function contentsOf({ album, images }: NewShare, access: Reach): Pick<NewShareRow, 'albumId'> & { images: string[] } {
  if ((album === undefined) === (images === undefined)) {
    throw new InvalidRequest('Send either "album" or "images".');
  }
  if (album !== undefined) {
    const id = album.toLowerCase();
    if (!isUuid(id) || id !== (access.albumId ?? id)) throw noSuchAlbum();
    return { albumId: id, images: [] };
  }
  if (access.albumId !== null) throw new OneAlbumShared();
  const ids = eachOnce(images ?? []);
  if (!ids.every(isUuid)) throw new InvalidRequest('The field "images" needs the ids of images.');
  return { albumId: null, images: ids };
}

/** For a password that an owner chooses. */
const passwordRefusals = [CommonPassword, PasswordIsName];
const nameRefusals = [InvalidName, NameReserved, NameTaken, ShortNameOpen];

type Options = { config: Config; views: ViewCounter };

export const shareRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, views }) => {
  const listing = {
    onRequest: app.guard,
    config: sharing,
    schema: { operationId: 'listShares', summary: 'List shares and public album pages', response: { 200: ShareList } },
  };
  app.get('/', listing, async (request) => {
    const origin = linkOrigin(request, config.publicUrl);
    await Promise.all([views.flush(), app.albumViews.flush()]);
    return request.runFairly(async (lists) => {
      const shares = await listShares(lists, request.access);
      const pages = await listPages(lists, request.access);
      return {
        shares: [...shares.map((row) => answerOf(row, origin)), ...pages.map((page) => pageAnswer(page, origin))],
        album_pages: pages.map(({ id, name, linkKey }) => ({ album: id, name, url: origin + albumPath(linkKey) })),
      };
    });
  });

  const creating = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound, OneAlbumShared, TooManyShares, ...nameRefusals, ...passwordRefusals) },
    bodyLimit,
    schema: {
      operationId: 'createShare',
      summary: 'Share an album or a selection of images',
      body: NewShare,
      response: { 201: ShareAnswer },
    },
  };
  app.post('/', creating, async (request, reply) => {
    const { access, account, body } = request;
    const { albumId, images } = contentsOf(body, access);
    const { name, password, ...options } = body;
    const row = {
      ...{ id: uuidv7(), ownerId: account.id, key: newShareKey(), name: shareName(name), albumId },
      ...{ shortName: null, guessable: false, details: true, download: true, expiresAt: null },
      originals: options.details ?? true,
      ...readOptions(options),
      ...{ passwordHash: null, ...(await passwordChange(password, account)) },
    };
    const share = await request.runFairly(() =>
      underOwnerLock(app.db, account.id, async (tx) => {
        await note(tx, { action: 'share.created', actor: actorOf(request), details: { share: row.name } });
        return insertShare(tx, { reach: access, row, images, limits: defaultLimits });
      }),
    );
    if (!share) throw noSuchShare();
    return reply.code(201).send({ share: answerOf(share, linkOrigin(request, config.publicUrl)) });
  });

  await app.register(changeRoute, { config });
  await app.register(shareImageRoutes, { config });
  await app.register(endRoute);
};

const changeRoute: FastifyPluginAsyncTypebox<Pick<Options, 'config'>> = async (app, { config }) => {
  const changing = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound, ...nameRefusals, ...passwordRefusals) },
    schema: {
      operationId: 'changeShare',
      summary: 'Change the settings of a share',
      params: Type.Object({ id: Type.String() }),
      body: ShareChange,
      response: { 200: ShareAnswer },
    },
  };
  app.patch('/:id', changing, async (request) => {
    const { access, account, body, params } = request;
    const { name, password, ...options } = body;
    const changes = {
      ...(name === undefined ? {} : { name: shareName(name) }),
      ...readOptions(options),
      ...(await passwordChange(password, account)),
    };
    if (Object.keys(changes).length === 0) throw new InvalidRequest('Nothing was given to change.');
    const id = params.id.toLowerCase();
    const change = async (tx: Transaction) => {
      const before = await readShare(tx, { reach: access, id });
      const changed = await changeShare(tx, { reach: access, id }, changes);
      if (!changed || !before) return undefined;
      if (differs(before, changes))
        await note(tx, { action: 'share.changed', actor: actorOf(request), details: { share: changed.name } });
      return changed;
    };
    const share = isUuid(id) ? await request.runFairly(() => underOwnerLock(app.db, account.id, change)) : undefined;
    if (!share && isUuid(id) && (await hasPage(app.db, access, id))) {
      throw new InvalidRequest('The public page of an album has no settings. Create a share of the album.');
    }
    if (!share) throw noSuchShare();
    return { share: answerOf(share, linkOrigin(request, config.publicUrl)) };
  });
};

const endRoute: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  const ending = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound) },
    schema: {
      operationId: 'endShare',
      summary: 'End a share',
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', ending, async (request, reply) => {
    const id = request.params.id.toLowerCase();
    const reach = request.access;
    if (!isUuid(id)) throw noSuchShare();
    await request.runFairly(() =>
      underOwnerLock(app.db, reach.ownerId, async (tx) => {
        const share = (await endShare(tx, { reach, id })) ?? (await closePage(tx, reach, id));
        if (share === undefined) throw noSuchShare();
        await note(tx, { action: 'share.ended', actor: actorOf(request), details: { share } });
      }),
    );
    return reply.code(204).send(null);
  });
};
