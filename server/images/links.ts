/** The public bytes: the link is the permission. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NotFound } from '../errors.ts';
import type { Delivery } from './delivery.ts';
import { linkKeyForm } from './link-paths.ts';
import { disposition, setPublicHeaders } from './picture-headers.ts';
import { findImageByLink } from './queries.ts';
import { hasRendition, type RenditionName, renditionNames, renditions } from './rendition-names.ts';
import { sendBytes } from './send-bytes.ts';

const gone = () => new NotFound('There is no image at this link. It may have been deleted.');

type Options = { delivery: Delivery };

export const imageLinks: FastifyPluginAsyncTypebox<Options> = async (app, { delivery }) => {
  const keyForm = new RegExp(linkKeyForm);

  async function findLinked(linkKey: string): Promise<ImageRow> {
    const row = keyForm.test(linkKey) ? await findImageByLink(app.db, linkKey) : undefined;
    if (!row) throw gone();
    return row;
  }

  async function sendOriginal(name: string, request: FastifyRequest, reply: FastifyReply) {
    const dot = name.indexOf('.');
    const row = await findLinked(name.slice(0, Math.max(dot, 0)));
    if (name.slice(dot + 1) !== row.extension) throw gone();
    setPublicHeaders(reply, row.contentType);
    const source = await delivery.publicOriginal(row);
    reply.header('content-disposition', disposition(row, 'inline'));
    return sendBytes(source, request, reply);
  }

  async function sendRendition(linkKey: string, name: RenditionName, request: FastifyRequest, reply: FastifyReply) {
    const row = await findLinked(linkKey);
    if (!hasRendition(row, name)) throw gone();
    setPublicHeaders(reply, renditions[name].contentType);
    const { key, size, sha256 } = await delivery.renditions.ready(row, name);
    const source = { size, etag: `"${sha256}"`, open: app.storage.read.bind(undefined, key) };
    return sendBytes(source, request, reply);
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/i/:name',
    schema: { params: Type.Object({ name: Type.String() }) },
    handler: (request, reply) => sendOriginal(request.params.name, request, reply),
  });

  for (const name of renditionNames) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/i/:linkKey/${renditions[name].file}`,
      schema: { params: Type.Object({ linkKey: Type.String() }) },
      handler: (request, reply) => sendRendition(request.params.linkKey, name, request, reply),
    });
  }
};
