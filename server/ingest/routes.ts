import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { UploadAnswer } from '../contract.ts';
import type { DeleteKeys } from '../images/links/delete-keys.ts';
import { type FormUploads, uploading } from './form-uploads.ts';
import type { ShowStored } from './show-stored.ts';
import { assertAlbum } from './target-album.ts';
import { sendResults } from './upload-answer.ts';
import { keepingOf, readOptions, type SentOptions } from './upload-options.ts';

type Options = { formUploads: FormUploads; deleteKeys: DeleteKeys; show: ShowStored };

const Query = Type.Object({
  album: Type.Optional(Type.Unknown()),
  expires_in: Type.Optional(Type.Unknown()),
  delete_link: Type.Optional(Type.Unknown()),
});

export const ingestRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { formUploads, deleteKeys, show }) => {
  const targetOf = ({ access, query }: FastifyRequest) => readOptions(access, query as SentOptions);

  const options = {
    onRequest: formUploads.admit((request) => assertAlbum(app.db, targetOf(request))),
    config: uploading,
    schema: {
      operationId: 'uploadImages',
      summary: 'Upload images as a form',
      querystring: Query,
      response: { 201: UploadAnswer, 207: UploadAnswer },
    },
  };
  app.post('/upload', options, async (request, reply) => {
    const target = targetOf(request);
    const form = { field: 'images', keepingOf: () => keepingOf(target, deleteKeys) };
    const results = await formUploads.receive(request, reply, form);
    return sendResults(request, reply, results, (row) => show(request, row, target));
  });
};
