/** The page of a share, the question for its password, and its oEmbed answer. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { pagePolicy, sendPage } from '../albums/page-answer.ts';
import { albumHtml } from '../albums/page-html.ts';
import { previewOf } from '../albums/page-pictures.ts';
import { passwordMatches } from '../auth/password/passwords.ts';
import type { Config } from '../config/config.ts';
import { OEmbed } from '../contract.ts';
import { refusalPages } from '../delivery/refusal-page.ts';
import { InvalidRequest, NotFound, ShareEnded } from '../errors.ts';
import { createFailureLimit } from '../http/limits/failure-limit.ts';
import { hasGone } from '../http/limits/fair-share.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { PRODUCT } from '../http/page/document.ts';
import { readPage } from '../http/page-number.ts';
import { withoutLogin } from '../http/scopes.ts';
import { hasEnded } from '../images/expiry/expiry.ts';
import { pathOf } from './addresses.ts';
import { type Admission, nothingShared } from './admission.ts';
import type { ShareCookies } from './cookie.ts';
import { KeyParams, opening, unlocking } from './limits.ts';
import { oembedLink, questionHtml } from './page-html.ts';
import { refusalTexts, textFor } from './page-text.ts';
import type { createPictureCodes } from './picture-codes.ts';
import type { FoundShare } from './public-queries.ts';
import { readSharePage } from './reading.ts';
import type { ViewCounter } from './view-counter.ts';
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
  const { config, assets, admission, codesOf, views } = parts;
  app.setErrorHandler<FastifyError>(refusalPages(assets, refusalTexts));
  const policy = pagePolicy([]);
  const { pageSize, abuseContact, publicUrl } = config;

  /** @returns undefined past the last page */
  function read(request: FastifyRequest, share: FoundShare, page: number) {
    const wanted = { share, text: textFor(request.headers), page, pageSize };
    const isGone = () => hasGone(request);
    return app.runFairly(share.ownerId, (lists) => readSharePage(lists, codesOf, wanted), { isGone });
  }

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

  app.route({
    method: 'GET',
    url: '/s/:key/oembed',
    config: { ...opening, ...withoutLogin, ...refuses(...refusals) },
    schema: {
      operationId: 'getShareOEmbed',
      summary: 'Describe a share for programs that embed it (oEmbed 1.0)',
      params: KeyParams,
      querystring: OEmbedQuery,
      response: { 200: OEmbed },
    },
    handler: async (request, reply) => {
      const { format = 'json', maxwidth, maxheight } = request.query;
      if (format !== 'json') throw new InvalidRequest('Only format=json is available.');
      const most = { maxwidth: readSide(maxwidth), maxheight: readSide(maxheight) };
      const share = await admission.findOpen(request.params.key);
      const isOpen = share.passwordHash === null;
      const lead = isOpen ? (await read(request, share, 1))?.lead : undefined;
      const origin = linkOrigin(request, publicUrl);
      const picture = lead && scaledTo(previewOf(lead), most);
      reply.header('cache-control', 'no-store');
      return {
        version: '1.0' as const,
        type: picture ? ('photo' as const) : ('link' as const),
        title: share.name,
        provider_name: PRODUCT,
        provider_url: origin,
        cache_age: 60,
        ...(picture && { url: origin + picture.path, width: picture.width, height: picture.height }),
      };
    },
  });

  await app.register(passwordForm, parts);
};

const Sent = Type.Optional(Type.Unknown());
const OEmbedQuery = Type.Object({ url: Sent, format: Sent, maxwidth: Sent, maxheight: Sent });

/** @returns px @throws InvalidRequest */
function readSide(sent: unknown): number {
  if (sent === undefined) return Number.POSITIVE_INFINITY;
  if (typeof sent === 'string' && /^[1-9]\d{0,8}$/.test(sent)) return Number(sent);
  throw new InvalidRequest('The fields "maxwidth" and "maxheight" are whole numbers of pixels from 1.');
}

/** @throws NotFound, as for a page past the last one */
function pageNumber(sent: unknown): number {
  try {
    return readPage(sent);
  } catch {
    throw nothingShared();
  }
}

const oembedAddress = (origin: string, { path }: FoundShare) =>
  `${origin}${path}/oembed?format=json&url=${encodeURIComponent(origin + path)}`;

type Sized = { path: string; width: number; height: number };

/** The size in which to show a picture, so that it fits. */
function scaledTo(picture: Sized, { maxwidth, maxheight }: { maxwidth: number; maxheight: number }): Sized {
  const scale = Math.min(1, maxwidth / picture.width, maxheight / picture.height);
  const scaled = (side: number) => Math.max(1, Math.floor(side * scale));
  return { path: picture.path, width: scaled(picture.width), height: scaled(picture.height) };
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

const failuresAMinute = 10;

/** Takes the password. Checking takes the same time for every address, whether it has a share, and a password, or not. */
const passwordForm: FastifyPluginAsyncTypebox<PageParts> = async (app, parts) => {
  const { config, admission, cookies } = parts;
  const failures = createFailureLimit(app.db, { max: failuresAMinute, windowMs: 60_000 });
  app.removeAllContentTypeParsers();
  const parser = { parseAs: 'string', bodyLimit: 4096 } as const;
  app.addContentTypeParser('application/x-www-form-urlencoded', parser, (_request, body, done) => {
    done(null, { password: new URLSearchParams(String(body)).get('password') ?? '' });
  });

  async function isRight(share: FoundShare | undefined, password: string): Promise<boolean> {
    const isOpen = share && !hasEnded(share.end);
    const hash = (isOpen && share.passwordHash) || undefined;
    const check = async () => (await passwordMatches(password, hash)) || undefined;
    const isLimited = hash !== undefined && config.rateLimit === 'on';
    return (await (isLimited ? failures(`share:${share?.id}`, check) : check())) ?? false;
  }

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
      const isMatch = await isRight(found, request.body.password);
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
