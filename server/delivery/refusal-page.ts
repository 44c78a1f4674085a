/** The page of a link without a picture, for people who open it in a browser. Programs and `<img>` get JSON. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { answerError, prepareRefusal } from '../http/errors/error-handler.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { htmlDocument, PRODUCT } from '../http/page/document.ts';
import { html } from '../http/page/html.ts';
import { chooseLanguage, type Reader } from '../http/page/language.ts';

type Text = { title: string; reason: string };

export type RefusalText = Reader & {
  /** By the code of the refusal. */
  refusals: Partial<Record<string, Text>>;
};

const english: RefusalText = {
  language: 'en',
  direction: 'ltr',
  refusals: {
    NOT_FOUND: {
      title: "This image isn't available",
      reason: 'It may have been deleted, or the link was copied incompletely. Ask the person who sent it.',
    },
    IMAGE_EXPIRED: {
      title: 'This image has expired',
      reason: 'Ask the person who shared it to upload it again.',
    },
    TOO_MANY_REQUESTS: { title: 'Too many attempts', reason: 'Wait a minute, then try again.' },
  },
};

const arabic: RefusalText = {
  language: 'ar',
  direction: 'rtl',
  refusals: {
    NOT_FOUND: {
      title: 'هذه الصورة غير متاحة',
      reason: 'ربما حُذفت، أو لم يُنسخ الرابط كاملًا. اسأل من أرسله إليك.',
    },
    IMAGE_EXPIRED: {
      title: 'انتهت مدة هذه الصورة',
      reason: 'اطلب ممن أرسل الرابط أن يرفعها من جديد.',
    },
    TOO_MANY_REQUESTS: { title: 'محاولات كثيرة', reason: 'انتظر دقيقة ثم حاول مرة أخرى.' },
  },
};

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** Whether a browser opens the address as a page. Older browsers do not send Sec-Fetch-Dest. */
function isNavigation({ headers }: FastifyRequest): boolean {
  if ((headers['sec-fetch-dest'] ?? 'document') !== 'document') return false;
  return new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html';
}

function pageOf(assets: PageAssets, reader: Reader, { title, reason }: Text): string {
  const body = html`<div class="missing"><h1>${title}</h1>
<p>${reason}</p></div>
`;
  return htmlDocument({ assets: { ...assets, script: undefined }, reader, title: `${title} · ${PRODUCT}`, body });
}

/** Texts by language. */
export type RefusalTexts = Record<Reader['language'], RefusalText>;

/** The error handler of the links. Vary is on their refusals only, because the bytes are the same for everyone. */
export const refusalPages =
  (assets: PageAssets, texts: RefusalTexts = { en: english, ar: arabic }) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const vary = [reply.getHeader('vary') ?? [], 'Accept', 'Accept-Language', 'Sec-Fetch-Dest'].flat();
    reply.header('vary', vary.join(', '));
    const text = chooseLanguage(request.headers, texts);
    const refusal = text.refusals[error.code];
    if (!refusal || !isNavigation(request)) return void answerError(error, request, reply);
    prepareRefusal(error, request, reply);
    reply
      .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(pageOf(assets, text, refusal));
  };
