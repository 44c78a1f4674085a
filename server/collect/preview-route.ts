/** The page of a collect link. The client draws it; its head says to programs that make previews what the link is. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import type { Config } from '../config/config.ts';
import { CollectEnded, NotFound } from '../errors.ts';
import { answerError, answerMissing, prepareRefusal } from '../http/errors/error-handler.ts';
import { linkOrigin } from '../http/link-origin.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { PRODUCT } from '../http/page/document.ts';
import { type Html, html } from '../http/page/html.ts';
import { chooseLanguage } from '../http/page/language.ts';
import { withoutLogin } from '../http/scopes.ts';
import type { Admission } from './admission.ts';
import { KeyParams, opening } from './limits.ts';

type Options = { config: Config; admission: Admission };

const texts = {
  en: { locale: 'en_US', about: 'Add your pictures here. You need no account.' },
  ar: { locale: 'ar_AR', about: 'أضف صورك هنا. لا تحتاج إلى حساب.' },
};

type Head = { name: string; address: string; icon: string; text: (typeof texts)['en'] };

const headOf = ({ name, address, icon, text }: Head): Html => html`<title>${name} · ${PRODUCT}</title>
<meta name="robots" content="noindex">
<meta name="description" content="${text.about}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${PRODUCT}">
<meta property="og:locale" content="${text.locale}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${text.about}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${icon}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="512">
<meta property="og:image:height" content="512">
<meta name="twitter:card" content="summary">`;

export const previewRoute: FastifyPluginAsyncTypebox<Options> = async (app, { config, admission }) => {
  const plain = html`<title>${PRODUCT}</title>`;

  // The page itself shows why it has no link: programs call the API below this path.
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (!app.sendClientPage) return answerError(error, request, reply);
    const hasNone = error instanceof NotFound || error instanceof CollectEnded;
    if (!hasNone) prepareRefusal(error, request, reply);
    return app.sendClientPage(hasNone ? reply.code(200) : reply, plain);
  });

  const showing = {
    config: { ...opening, ...withoutLogin, ...refuses(NotFound) },
    schema: {
      operationId: 'openCollectLink',
      summary: 'Show the page of a collect link',
      params: KeyParams,
    },
  };
  app.get('/', showing, async (request, reply) => {
    if (!app.sendClientPage) return answerMissing(request, reply);
    const { link } = await admission.find(request, request.params.key);
    const { name, path } = link;
    const origin = linkOrigin(request, config.publicUrl);
    const text = chooseLanguage(request.headers, texts);
    const head = headOf({ name, address: origin + path, icon: `${origin}/icons/icon-512.png`, text });
    return app.sendClientPage(reply.header('vary', 'Accept-Language'), head);
  });
};
