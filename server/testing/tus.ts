/** Single calls of the tus protocol, in sequences that a careful client never makes. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

type Bearer = { bearer: { authorization: string } };
type Headers = Record<string, string>;

export const tusHeaders = { 'tus-resumable': '1.0.0' };
const partHeaders = { ...tusHeaders, 'content-type': 'application/offset+octet-stream' };

export const nameHeader = (name: string): Headers => ({
  'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
});

export function openUpload(
  app: FastifyInstance,
  { bearer }: Bearer,
  size: number | string,
  headers: Headers = nameHeader('a picture.png'),
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: '/api/uploads',
    headers: { ...tusHeaders, ...bearer, 'upload-length': String(size), ...headers },
  });
}

/** @returns the path of a new upload; throws if it was refused */
export async function opened(app: FastifyInstance, account: Bearer, size: number, name = 'a picture.png') {
  const answer = await openUpload(app, account, size, nameHeader(name));
  if (answer.statusCode !== 201) throw new Error(`no upload was opened: ${answer.statusCode} ${answer.body}`);
  return String(answer.headers.location);
}

export function sendPart(
  app: FastifyInstance,
  { bearer }: Bearer,
  path: string,
  offset: number | string,
  bytes: Uint8Array,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'PATCH',
    url: path,
    headers: { ...partHeaders, ...bearer, 'upload-offset': String(offset), ...headers },
    payload: Buffer.from(bytes),
  });
}

export const askOffset = (app: FastifyInstance, { bearer }: Bearer, path: string): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'HEAD', url: path, headers: { ...tusHeaders, ...bearer } });

export const askOutcome = (app: FastifyInstance, { bearer }: Bearer, path: string): Promise<LightMyRequestResponse> =>
  app.inject({ url: path, headers: bearer });

export const cancelUpload = (app: FastifyInstance, { bearer }: Bearer, path: string): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'DELETE', url: path, headers: { ...tusHeaders, ...bearer } });

/** The head of a part's request, to send on a connection that breaks within the body. */
export const partHead = ({ bearer }: Bearer, path: string, offset: number, length: number): string =>
  [
    `PATCH ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${bearer.authorization}`,
    ...Object.entries(partHeaders).map(([name, value]) => `${name}: ${value}`),
    `Upload-Offset: ${offset}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');
