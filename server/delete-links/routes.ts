/** Delete links: anyone with the link can delete the image. Link scanners follow GETs, so a GET changes nothing. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { everythingOf } from '../database/statements/access.ts';
import { NotFound } from '../errors.ts';
import { ignoreBodies } from '../http/ignore-bodies.ts';
import { perAddress } from '../http/limits/rate-limit.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { redirectOrigins } from '../http/response-headers.ts';
import { withoutLogin } from '../http/scopes.ts';
import { findByDeleteHash } from '../images/expiry/queries.ts';
import { hashOfDeleteKey } from '../images/links/delete-keys.ts';
import { linkKeyForm } from '../images/links/link-paths.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import { createPending } from '../lib/pending.ts';
import { deletedHtml, missingHtml, questionHtml } from './page-html.ts';
import { textFor } from './page-text.ts';

const minute = 60_000;
/** More than a person opens; 128 random bits need no limit against guessing, but the database does. */
const callsAMinute = 120;

const policyFor = (pictures: string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ["img-src 'self'", ...pictures].join(' '),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');

type Options = { config: Config; assets: PageAssets };

export const deleteLinkRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, assets }) => {
  // The button sends an empty form.
  ignoreBodies(app);
  const policy = policyFor(redirectOrigins(config));
  const keyForm = new RegExp(linkKeyForm);
  const pending = createPending();
  // Repeated calls find no image, rather than wait for the lock of its owner.
  const inMutex = createKeyedMutex();
  // A shutdown waits until a deletion has removed the bytes.
  app.shutdown.onClose('cleanup after delete links', () => pending.settled());

  const find = async (key: string) => (keyForm.test(key) ? findByDeleteHash(app.db, hashOfDeleteKey(key)) : undefined);

  /** @returns whether the link had an image */
  async function deleteBy(key: string): Promise<boolean> {
    return pending.add(
      inMutex(key, async () => {
        const row = await find(key);
        return row !== undefined && app.images.delete(everythingOf(row.ownerId), row.id);
      }),
    );
  }

  const sendPage = (reply: FastifyReply, status: number, page: string) =>
    reply
      .code(status)
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(page);

  const route = {
    url: '/d/:key',
    config: { ...perAddress('delete-link', callsAMinute, minute), ...withoutLogin },
  };
  const params = Type.Object({ key: Type.String() });
  app.route({
    ...route,
    method: ['GET', 'HEAD'],
    schema: { operationId: 'openDeleteLink', summary: 'Show the page behind a delete link', params },
    handler: async ({ headers, params }, reply) => {
      const text = textFor(headers);
      const row = await find(params.key);
      if (!row) return sendPage(reply, 404, missingHtml(assets, text));
      return sendPage(reply, 200, questionHtml(assets, text, row));
    },
  });
  app.route({
    ...route,
    method: 'POST',
    schema: { operationId: 'pressDeleteButton', summary: 'Delete an image as the button of the page does', params },
    handler: async ({ headers, params }, reply) => {
      const text = textFor(headers);
      if (await deleteBy(params.key)) return sendPage(reply, 200, deletedHtml(assets, text));
      return sendPage(reply, 404, missingHtml(assets, text));
    },
  });
  app.route({
    ...route,
    method: 'DELETE',
    config: { ...route.config, ...refuses(NotFound) },
    schema: { operationId: 'deleteByLink', summary: 'Delete an image by its delete link', params },
    handler: async ({ params }, reply) => {
      if (await deleteBy(params.key)) return reply.code(204).send();
      throw new NotFound('There is no image at this delete link. It may have been deleted already.');
    },
  });
};
