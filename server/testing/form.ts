import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { UploadAnswer } from '../contract.ts';

export type SentFile = { name: string; bytes: Uint8Array | string; type?: string; field?: string };

/** A multipart form in a browser's format. */
export async function form(files: SentFile[]): Promise<{ headers: { 'content-type': string }; payload: Buffer }> {
  const data = new FormData();
  for (const { name, bytes, type = 'application/octet-stream', field = 'images' } of files) {
    data.append(field, new Blob([bytes], { type }), name);
  }
  const encoded = new Response(data);
  const payload = Buffer.from(await encoded.arrayBuffer());
  return { headers: { 'content-type': encoded.headers.get('content-type') ?? '' }, payload };
}

type Bearer = { bearer: { authorization: string } };

type Sending = {
  remoteAddress?: string;
  keys?: string[];
  /** Begins with `?`. */
  query?: string;
  accept?: string;
};

export async function postFiles(
  app: FastifyInstance,
  { bearer }: Bearer,
  files: SentFile[],
  { remoteAddress, keys, query = '', accept }: Sending = {},
): Promise<LightMyRequestResponse> {
  const { headers, payload } = await form(files);
  return app.inject({
    method: 'POST',
    url: `/api/images/upload${query}`,
    headers: { ...headers, ...bearer, ...(keys && { 'upload-keys': keys.join() }), ...(accept && { accept }) },
    payload,
    ...(remoteAddress ? { remoteAddress } : {}),
  });
}

/** Uploads files, all of which must be stored. */
export async function storeFiles(
  app: FastifyInstance,
  account: Bearer,
  files: SentFile[],
  sending: Sending = {},
): Promise<UploadAnswer['images']> {
  const answer = await postFiles(app, account, files, sending);
  if (answer.statusCode !== 201) throw new Error(`upload failed: ${answer.statusCode} ${answer.body}`);
  return answer.json<UploadAnswer>().images;
}
