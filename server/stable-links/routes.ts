import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { Config } from '../config/config.ts';
import { NewStableLink, type StableLink, StableLinkAnswer, StableLinkChange, StableLinkList } from '../contract.ts';
import { InvalidName, InvalidRequest, NameReserved, NameTaken, NotFound, TooManyStableLinks } from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { linkOrigin, pictureOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withScope } from '../http/scopes.ts';
import { imageAnswer } from '../images/answer.ts';
import { noSuchImage } from '../images/refusals.ts';
import { newName } from '../lib/link-names.ts';
import {
  changeStableLink,
  deleteStableLink,
  type FoundStableLink,
  insertStableLink,
  listStableLinks,
} from './queries.ts';
import { noSuchStableLink } from './refusals.ts';

const minute = 60_000;
/** Ten a second, as for albums. */
const changing = {
  ...perAccount('stable-links', 600, minute),
  ...withScope('images:write'),
  // Stable links may lead to every image of the account.
  beyondAlbum: true,
};

const LinkId = Type.Object({ id: Type.String() });

/** @throws NotFound for an invalid id */
function imageIdOf(sent: string): string {
  if (!isUuid(sent)) throw noSuchImage();
  return sent;
}

/** @throws NotFound for an invalid id */
function idOf({ params }: { params: { id: string } }): string {
  if (!isUuid(params.id)) throw noSuchStableLink();
  return params.id;
}

export const stableLinkRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';

  const answerOf = (request: FastifyRequest, { link, image }: FoundStableLink): StableLink => ({
    id: link.id,
    name: link.name,
    url: `${linkOrigin(request, config.publicUrl)}/l/${link.name}`,
    image: image && imageAnswer(image, pictureOrigin(request, config), strip),
    created_at: link.createdAt.toISOString(),
    changed_at: link.changedAt.toISOString(),
  });

  const listing = {
    onRequest: app.guard,
    config: { ...withScope('images:read'), beyondAlbum: true },
    schema: { operationId: 'listStableLinks', summary: 'List stable links', response: { 200: StableLinkList } },
  };
  app.get('/', listing, async (request) => {
    const links = await request.runFairly((lists) => listStableLinks(lists, request.account.id));
    return { stable_links: links.map((link) => answerOf(request, link)) };
  });

  const creating = {
    onRequest: app.guard,
    config: { ...changing, ...refuses(InvalidName, NameReserved, NotFound, NameTaken, TooManyStableLinks) },
    schema: {
      operationId: 'createStableLink',
      summary: 'Create a stable link to an image',
      body: NewStableLink,
      response: { 201: StableLinkAnswer },
    },
  };
  app.post('/', creating, async (request, reply) => {
    const { account, body } = request;
    const link = { name: newName(body.name), imageId: imageIdOf(body.image) };
    const made = await request.runFairly(() => insertStableLink(app.db, account.id, link));
    return reply.code(201).send({ stable_link: answerOf(request, made) });
  });

  const changingOne = {
    onRequest: app.guard,
    config: { ...changing, ...refuses(InvalidName, NameReserved, NotFound, NameTaken) },
    schema: {
      operationId: 'changeStableLink',
      summary: 'Rename a stable link, or point it at another image',
      params: LinkId,
      body: StableLinkChange,
      response: { 200: StableLinkAnswer },
    },
  };
  app.patch('/:id', changingOne, async (request) => {
    const { account, body } = request;
    const id = idOf(request);
    if (body.name === undefined && body.image === undefined) {
      throw new InvalidRequest('Nothing was given to change: a name or an image.');
    }
    const change = {
      ...(body.name === undefined ? {} : { name: newName(body.name) }),
      ...(body.image === undefined ? {} : { imageId: imageIdOf(body.image) }),
    };
    const changed = await request.runFairly(() => changeStableLink(app.db, account.id, id, change));
    return { stable_link: answerOf(request, changed) };
  });

  await app.register(deleteRoute);
};

const deleteRoute: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  const deleting = {
    onRequest: app.guard,
    config: { ...changing, ...refuses(NotFound) },
    schema: {
      operationId: 'deleteStableLink',
      summary: 'Delete a stable link and free its name',
      params: LinkId,
      response: { 204: Type.Null() },
    },
  };
  app.delete('/:id', deleting, async (request, reply) => {
    const id = idOf(request);
    if (!(await request.runFairly(() => deleteStableLink(app.db, request.account.id, id)))) throw noSuchStableLink();
    return reply.code(204).send(null);
  });
};
