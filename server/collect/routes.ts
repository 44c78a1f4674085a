/** The owner's API of collect links. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { noSuchAlbum } from '../albums/refusals.ts';
import { sharing } from '../albums/requests.ts';
import { actorOf, note } from '../audit/note.ts';
import type { Config } from '../config/config.ts';
import {
  type CollectLink,
  CollectLinkAnswer,
  CollectLinkChange,
  CollectLinkList,
  NewCollectLink,
} from '../contract.ts';
import type { Access } from '../database/statements/access.ts';
import { underCallerLock, underOwnerLock } from '../database/statements/owner-lock.ts';
import {
  CommonPassword,
  EndlessImages,
  InvalidRequest,
  NotFound,
  PasswordIsName,
  TooManyCollectLinks,
} from '../errors.ts';
import { readEnd } from '../gallery/expiry-change.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { endOf, hasEnded } from '../images/expiry/expiry.ts';
import { differs } from '../lib/differs.ts';
import { newShareKey } from '../shares/addresses.ts';
import { passwordChange, shareName } from '../shares/options.ts';
import { pathOf } from './public-queries.ts';
import { changeLink, endLink, insertLink, type LinkChanges, type ListedLink, listLinks, readLink } from './queries.ts';

const noSuchLink = () => new NotFound('There is no such collect link. It may have ended already.');

const answerOf = (row: ListedLink, origin: string): CollectLink => ({
  id: row.id,
  name: row.name,
  url: origin + pathOf(row.key),
  album: row.albumId,
  open: row.open,
  asks_name: row.asksName,
  look_first: row.lookFirst,
  protected: row.passwordHash !== null,
  max_files: row.maxFiles,
  max_bytes: row.maxBytes,
  files: row.files,
  bytes: row.bytes,
  waiting: row.waiting,
  expires_at: row.expiresAt?.toISOString() ?? null,
  expired: hasEnded(endOf(row)),
  created_at: row.createdAt.toISOString(),
});

/** The columns of the given options; the others stay. @throws InvalidRequest */
function readOptions(sent: Omit<CollectLinkChange, 'password'>): LinkChanges {
  const given: LinkChanges = {
    name: sent.name === undefined ? undefined : shareName(sent.name, 'collect link'),
    open: sent.open,
    asksName: sent.asks_name,
    lookFirst: sent.look_first,
    maxFiles: sent.max_files,
    maxBytes: sent.max_bytes,
    expiresAt: readEnd(sent),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const defaults = { open: false, asksName: false, lookFirst: false, maxFiles: 500, maxBytes: 10_000_000_000 };

const passwordRefusals = [CommonPassword, PasswordIsName];

type Options = { config: Config };

export const collectLinkRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config }) => {
  const listing = {
    onRequest: app.guard,
    config: sharing,
    schema: { operationId: 'listCollectLinks', summary: 'List collect links', response: { 200: CollectLinkList } },
  };
  app.get('/', listing, async (request) => {
    const origin = linkOrigin(request, config.publicUrl);
    const links = await request.runFairly((lists) => listLinks(lists, request.access));
    return { collect_links: links.map((row) => answerOf(row, origin)) };
  });

  const creating = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound, EndlessImages, TooManyCollectLinks, ...passwordRefusals) },
    schema: {
      operationId: 'createCollectLink',
      summary: 'Let others add images to an album',
      body: NewCollectLink,
      response: { 201: CollectLinkAnswer },
    },
  };
  app.post('/', creating, async (request, reply) => {
    const { access, account, body } = request;
    refuseEndless(access);
    const { album, name, password, ...options } = body;
    const albumId = album.toLowerCase();
    if (!isUuid(albumId) || albumId !== (access.albumId ?? albumId)) throw noSuchAlbum();
    const row = {
      ...{ id: uuidv7(), ownerId: account.id, key: newShareKey(), albumId, expiresAt: null, ...defaults },
      ...readOptions(options),
      name: shareName(name, 'collect link'),
      ...{ passwordHash: null, ...(await passwordChange(password, account)) },
    };
    const link = await request.runFairly(() =>
      underCallerLock(app.db, request, async (tx) => {
        await note(tx, { action: 'collect.created', actor: actorOf(request), details: { link: row.name } });
        return insertLink(tx, access, row);
      }),
    );
    if (!link) throw noSuchLink();
    return reply.code(201).send({ collect_link: answerOf(link, linkOrigin(request, config.publicUrl)) });
  });

  const changing = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound, EndlessImages, ...passwordRefusals) },
    schema: {
      operationId: 'changeCollectLink',
      summary: 'Change the settings of a collect link',
      params: Type.Object({ id: Type.String() }),
      body: CollectLinkChange,
      response: { 200: CollectLinkAnswer },
    },
  };
  app.patch('/:id', changing, async (request) => {
    const { access: reach, account, body, params } = request;
    refuseEndless(reach);
    const { password, ...options } = body;
    const changes = { ...readOptions(options), ...(await passwordChange(password, account)) };
    if (Object.keys(changes).length === 0) throw new InvalidRequest('Nothing was given to change.');
    const id = params.id.toLowerCase();
    if (!isUuid(id)) throw noSuchLink();
    const link = await request.runFairly(() =>
      underCallerLock(app.db, request, async (tx) => {
        const before = await readLink(tx, { reach, id });
        const changed = await changeLink(tx, { reach, id }, changes);
        if (!changed || !before) throw noSuchLink();
        if (differs(before, changes))
          await note(tx, { action: 'collect.changed', actor: actorOf(request), details: { link: changed.name } });
        return changed;
      }),
    );
    return { collect_link: answerOf(link, linkOrigin(request, config.publicUrl)) };
  });

  await app.register(endRoute);
};

/** Guests' images have no end, so a token that gives its images one may not make collect links. @throws EndlessImages */
function refuseEndless({ imagesExpireIn }: Access): void {
  if (imagesExpireIn !== null) throw new EndlessImages();
}

const endRoute: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  const ending = {
    onRequest: app.guard,
    config: { ...sharing, ...refuses(NotFound) },
    schema: {
      operationId: 'endCollectLink',
      summary: 'End a collect link',
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', ending, async (request, reply) => {
    const id = request.params.id.toLowerCase();
    const reach = request.access;
    if (!isUuid(id)) throw noSuchLink();
    await request.runFairly(() =>
      underOwnerLock(app.db, reach.ownerId, async (tx) => {
        const link = await endLink(tx, { reach, id });
        if (link === undefined) throw noSuchLink();
        await note(tx, { action: 'collect.ended', actor: actorOf(request), details: { link } });
      }),
    );
    return reply.code(204).send(null);
  });
};
