/** The page of a share, and the question for its password. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { pagePolicy, sendPage } from '../albums/page-answer.ts';
import { albumHtml } from '../albums/page-html.ts';
import type { ViewCounter } from '../albums/view-counter.ts';
import type { Config } from '../config/config.ts';
import { refusalPages } from '../delivery/refusal-page.ts';
import { NotFound, ShareEnded } from '../errors.ts';
import { opening } from '../http/limits/guesses.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { readPage } from '../http/page-number.ts';
import { withoutLogin } from '../http/scopes.ts';
import { pathOf } from './addresses.ts';
import { type Admission, nothingShared } from './admission.ts';
import type { ShareCookies } from './cookie.ts';
import { KeyParams, unlocking } from './limits.ts';
import { oembedAddress, shareOEmbed } from './oembed-route.ts';
import { oembedLink, questionHtml } from './page-html.ts';
import { refusalTexts, textFor } from './page-text.ts';
import { createPasswordCheck } from './password-check.ts';
import type { createPictureCodes } from './picture-codes.ts';
import type { FoundShare } from './public-queries.ts';
import { createReader } from './reading.ts';
import { zipLinks } from './zip-route.ts';

export type PageParts = {
  config: Config;
  assets: PageAssets;
  admission: Admission;
  cookies: ShareCookies;
  codesOf: ReturnType<typeof createPictureCodes>;
  views: ViewCounter;
};

const refusals = [NotFound, ShareEnded];

export const sharePages: FastifyPluginAsyncTypebox<PageParts> = async (app, parts) => {
  const { config, assets, admission, views } = parts;
  app.setErrorHandler<FastifyError>(refusalPages(assets, refusalTexts));
  const policy = pagePolicy([]);
  const { pageSize, abuseContact, publicUrl } = config;

  const read = createReader(app, parts);

  async function pageOf(request: FastifyRequest, share: FoundShare, page: number): Promise<string> {
    const found = await read(request, share, page);
    if (!found) throw nothingShared();
    const text = textFor(request.headers);
    const origin = linkOrigin(request, publicUrl);
    return albumHtml({
      ...found,
      // Programs that make previews have no cookie.
      lead: share.passwordHash === null ? found.lead : undefined,
      assets,
      text,
      pageSize,
      name: share.name,
      path: share.path,
      origin,
      abuseContact,
      canSave: share.download,
      isProtected: share.passwordHash !== null,
      downloads: zipLinks(share, found, text),
      discovery: oembedLink(share.name, oembedAddress(origin, share)),
    });
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/s/:key',
    config: { ...opening, ...withoutLogin, ...refuses(...refusals) },
    schema: {
      operationId: 'openShare',
      summary: 'Show the page of a share',
      params: KeyParams,
      querystring: Type.Object({ page: Type.Optional(Type.Unknown()) }),
    },
    handler: async (request, reply) => {
      const { key } = request.params;
      const lower = key.toLowerCase();
      // A phone begins a typed name with a capital.
      if (key.length !== 22 && lower !== key) return reply.redirect(pathOf(encodeURIComponent(lower)), 302);
      const page = pageNumber(request.query.page);
      const share = await admission.findOpen(key);
      if (!admission.isAdmitted(request, share)) return sendQuestion(request, reply, { parts, share });
      const sent = await pageOf(request, share, page);
      if (request.method === 'GET' && page === 1) views.count(share.id);
      return sendPage(reply, 200, sent, policy);
    },
  });

  await app.register(shareOEmbed, parts);
  await app.register(passwordForm, parts);
};

/** @throws NotFound, as for a page past the last one */
function pageNumber(sent: unknown): number {
  try {
    return readPage(sent);
  } catch {
    throw nothingShared();
  }
}

type Question = { parts: PageParts; share: FoundShare; isWrong?: boolean };

const questionPolicy = pagePolicy([], { form: true });

function sendQuestion(request: FastifyRequest, reply: FastifyReply, { parts, share, isWrong = false }: Question) {
  const { assets, config } = parts;
  const origin = linkOrigin(request, config.publicUrl);
  const question = questionHtml({
    assets,
    text: textFor(request.headers),
    name: share.name,
    page: origin + share.path,
    oembed: oembedAddress(origin, share),
    isWrong,
  });
  return sendPage(reply, isWrong ? 403 : 200, question, questionPolicy);
}

/** Takes the password. */
const passwordForm: FastifyPluginAsyncTypebox<PageParts> = async (app, parts) => {
  const { config, admission, cookies } = parts;
  const isRight = createPasswordCheck(app.db, 'share', { limited: config.rateLimit === 'on' });
  app.removeAllContentTypeParsers();
  const parser = { parseAs: 'string', bodyLimit: 4096 } as const;
  app.addContentTypeParser('application/x-www-form-urlencoded', parser, (_request, body, done) => {
    done(null, { password: new URLSearchParams(String(body)).get('password') ?? '' });
  });

  app.post(
    '/s/:key',
    {
      config: { ...unlocking, ...withoutLogin, ...refuses(...refusals) },
      schema: {
        operationId: 'unlockShare',
        summary: 'Give the password of a share, as the form of its page does',
        params: KeyParams,
        body: Type.Object({ password: Type.String({ maxLength: 256 }) }),
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const found = await admission.find(key);
      const isMatch = await isRight(found, request.body.password, request.ip);
      const share = await admission.findOpen(key);
      // The password may have changed while it was checked, or the short name may belong to another share.
      const isSame = share.id === found?.id && share.passwordHash === found.passwordHash;
      if (share.passwordHash !== null) {
        if (!isMatch || !isSame) return sendQuestion(request, reply, { parts, share, isWrong: true });
        cookies.set(request, reply, share);
      }
      return reply.header('cache-control', 'no-store').redirect(share.path, 303);
    },
  );
};
