/** The public page of an album: the link is the permission until its owner ends it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import type { ClientDatabase } from '../database/connect.ts';
import type { Page } from '../gallery/pages.ts';
import { answerError, prepareRefusal } from '../http/errors/error-handler.ts';
import { forVisitors } from '../http/limits/fair-share.ts';
import { perAddress } from '../http/limits/rate-limit.ts';
import { linkOrigin } from '../http/link-origin.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { redirectOrigins } from '../http/response-headers.ts';
import { isOpen } from '../images/answer.ts';
import { albumPath, imagesInOrder } from './answer.ts';
import { pagePolicy, sendPage } from './page-answer.ts';
import { albumHtml, busyHtml, missingHtml } from './page-html.ts';
import { textFor } from './page-text.ts';
import { contentsOf, findByLink, type PublicAlbum, pageOfAlbum } from './pages.ts';
import type { ViewCounter } from './view-counter.ts';

/** As of the pages of shares. */
const opening = perAddress('album-page', 240, 60_000);

const keyForm = /^[\w-]{22}$/;

type Options = { config: Config; assets: PageAssets; views: ViewCounter };

export const albumPages: FastifyPluginAsyncTypebox<Options> = async (app, { config, assets, views }) => {
  const policy = pagePolicy(redirectOrigins(config));
  const { pageSize, abuseContact } = config;

  /** @returns undefined past the album's last page */
  async function read(lists: ClientDatabase, { id, ownerId }: PublicAlbum, page: number) {
    const { count, hidden, cover } = await contentsOf(lists, { id, ownerId });
    const totalPages = Math.ceil(count / pageSize);
    if (page > Math.max(1, totalPages)) return undefined;
    const idsOf = (part: Page) => pageOfAlbum(lists, ownerId, { id, count }, part);
    const ids = await idsOf({ page, size: pageSize });
    const [first] = page === 1 ? ids : await idsOf({ page: 1, size: 1 });
    const leadId = cover ?? first;
    const shown = [...new Set([...ids, ...(leadId ? [leadId] : [])])];
    const found = (await imagesInOrder(config, lists, ownerId, shown, '')).filter(isOpen);
    const images = found.filter((image) => ids.includes(image.id));
    const lead = found.find((image) => image.id === leadId) ?? images[0];
    return { count: count - hidden, hidden, images, lead, page, totalPages, pageSize };
  }

  async function pageFor(request: FastifyRequest, linkKey: string, asked: string) {
    if (!keyForm.test(linkKey) || !/^[1-9]\d{0,8}$/.test(asked)) return undefined;
    const album = await findByLink(app.db, linkKey);
    if (!album) return undefined;
    const work = (lists: ClientDatabase) => read(lists, album, Number(asked));
    const found = await app.runFairly(album.id, work, forVisitors(request));
    if (!found) return undefined;
    const html = albumHtml({
      ...found,
      assets,
      text: textFor(request.headers),
      name: album.name,
      path: albumPath(linkKey),
      origin: linkOrigin(request, config.publicUrl),
      abuseContact,
    });
    return { html, page: found.page };
  }

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error.code !== 'TOO_MANY_REQUESTS') return answerError(error, request, reply);
    prepareRefusal(error, request, reply);
    return sendPage(reply, 429, busyHtml(assets, textFor(request.headers)), policy);
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/a/:linkKey',
    config: opening,
    schema: {
      params: Type.Object({ linkKey: Type.String() }),
      querystring: Type.Object({ page: Type.Optional(Type.Unknown()) }),
    },
    handler: async (request, reply) => {
      const { linkKey } = request.params;
      const { page = '1' } = request.query;
      const found = await pageFor(request, linkKey, typeof page === 'string' ? page : '');
      if (found === undefined) return sendPage(reply, 404, missingHtml(assets, textFor(request.headers)), policy);
      if (request.method === 'GET' && found.page === 1) views.count(linkKey);
      return sendPage(reply, 200, found.html, policy);
    },
  });
};
