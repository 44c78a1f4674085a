/** The public page of an album: the link is the permission, for as long as its owner lets it be. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { albumPath, imagesInOrder, type Showing } from './answer.ts';
import { albumHtml, missingHtml } from './page-html.ts';
import { textFor } from './page-text.ts';
import { findByLink, pageOfAlbum } from './pages.ts';

const keyForm = /^[\w-]{22}$/;

/** Names are strangers' words: should one ever become markup, nothing in it would load or run. */
const policyFor = (pictures: string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ["img-src 'self'", ...pictures].join(' '),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');

function send(reply: FastifyReply, status: number, page: string, policy: string) {
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      // Nobody on the way keeps it, so an ended link is dead at once.
      'cache-control': 'no-store',
      // The address is the secret.
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}

type Options = Showing & {
  /** Where links to pictures may lead. */
  redirectOrigins: string[];
};

export const albumPages: FastifyPluginAsyncTypebox<Options> = async (app, { redirectOrigins, ...showing }) => {
  const policy = policyFor(redirectOrigins);
  const { originOf, pageSize } = showing;

  async function pageFor(request: FastifyRequest, linkKey: string, asked: string): Promise<string | undefined> {
    if (!keyForm.test(linkKey) || !/^[1-9]\d{0,8}$/.test(asked)) return undefined;
    const album = await findByLink(app.db, linkKey);
    if (!album) return undefined;
    const { ownerId, name, count } = album;
    const page = Number(asked);
    const totalPages = Math.ceil(count / pageSize);
    if (page > Math.max(1, totalPages)) return undefined;
    const ids = await pageOfAlbum(app.db, ownerId, album, { page, size: pageSize });
    const [first] = page === 1 ? ids : await pageOfAlbum(app.db, ownerId, album, { page: 1, size: 1 });
    const leadId = album.cover ?? first;
    const found = await imagesInOrder(showing, ownerId, [...new Set([...ids, ...(leadId ? [leadId] : [])])], '');
    return albumHtml({
      text: textFor(request.headers),
      name,
      count,
      images: found.filter(({ id }) => ids.includes(id)),
      lead: found.find(({ id }) => id === leadId),
      page,
      totalPages,
      path: albumPath(linkKey),
      origin: originOf(request),
    });
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/a/:linkKey',
    schema: {
      params: Type.Object({ linkKey: Type.String() }),
      querystring: Type.Object({ page: Type.Optional(Type.Unknown()) }),
    },
    handler: async (request, reply) => {
      const { page = '1' } = request.query;
      const found = await pageFor(request, request.params.linkKey, typeof page === 'string' ? page : '');
      if (found === undefined) return send(reply, 404, missingHtml(textFor(request.headers)), policy);
      return send(reply, 200, found, policy);
    },
  });
};
