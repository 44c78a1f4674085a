/** `/l/<name>` redirects to the current link of a picture. Its owner can point it at another picture. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { refusalPages } from '../delivery/refusal-page.ts';
import { shown } from '../delivery/shown.ts';
import { ImageExpired, NotFound, TooManyRequests, UnavailableForLegalReasons } from '../errors.ts';
import { createGuesses } from '../http/limits/guesses.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { withoutLogin } from '../http/scopes.ts';
import { linkPath } from '../images/links/link-paths.ts';
import { storedName } from '../lib/link-names.ts';
import { findImageByName } from './queries.ts';

type Options = { config: Config; assets: PageAssets };

export const stableLinkRedirect: FastifyPluginAsyncTypebox<Options> = async (app, { config, assets }) => {
  app.setErrorHandler<FastifyError>(refusalPages(assets));
  const guesses = createGuesses(app);

  /** @throws NotFound, ImageExpired, UnavailableForLegalReasons */
  async function imageOf(sent: string) {
    const name = storedName(sent);
    return shown(name === undefined ? undefined : await findImageByName(app.db, name));
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/l/:name',
    config: { ...withoutLogin, ...refuses(NotFound, ImageExpired, UnavailableForLegalReasons, TooManyRequests) },
    schema: {
      operationId: 'openStableLink',
      summary: 'Find the link to an image by a stable link',
      params: Type.Object({ name: Type.String() }),
    },
    handler: async (request, reply) => {
      await guesses.assertLeft(request);
      const image = await imageOf(request.params.name).catch(async (error: unknown) => {
        await guesses.countWrong(request);
        throw error;
      });
      return reply
        .code(302)
        .headers({
          location: (config.cdnUrl ?? '') + linkPath(image),
          // A cache asks again each time, because the owner may point the link at another image.
          'cache-control': 'no-cache',
          // Other sites may embed the picture.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send();
    },
  });
};
