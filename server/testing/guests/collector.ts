import type { FastifyInstance } from 'fastify';
import type { CollectLink, GuestEntry, NewCollectLink } from '../../contract.ts';
import { signIn } from '../account.ts';
import { form, type SentFile } from '../form.ts';
import { picture } from '../pictures.ts';
import { tusHeaders } from '../tus.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Visitor = { cookie?: string };

/** An account with an album, and its collect links. */
export async function collector(app: FastifyInstance) {
  const account = await signIn(app);
  const ask = (method: Method, url: string, payload?: object) =>
    app.inject({ method, url, headers: account.bearer, ...(payload && { payload }) });
  const { id: album } = (await ask('POST', '/api/albums', { name: 'Inner name' })).json().album as { id: string };
  const call = (method: Method, path = '', payload?: object) => ask(method, `/api/collect-links${path}`, payload);
  const create = (options: Partial<NewCollectLink> = {}) => call('POST', '', { name: 'Party', album, ...options });
  /** @throws if it is refused */
  const link = async (options: Partial<NewCollectLink> = {}): Promise<CollectLink & { path: string }> => {
    const answer = await create(options);
    if (answer.statusCode !== 201) throw new Error(`no collect link was created: ${answer.body}`);
    const made = answer.json<{ collect_link: CollectLink }>().collect_link;
    return { ...made, path: new URL(made.url).pathname };
  };
  const idsIn = async (albumId = album) =>
    ((await ask('GET', `/api/albums/${albumId}`)).json().images as { id: string }[]).map(({ id }) => id);
  const waiting = async () => (await call('GET', '/waiting')).json().images as { id: string; filename: string }[];
  return { account, album, ask, call, create, link, idsIn, waiting };
}

export const enter = (app: FastifyInstance, path: string, entry: GuestEntry = {}, headers: Visitor = {}) =>
  app.inject({ method: 'POST', url: `${path}/guest`, headers, payload: entry });

/** @returns the headers of a new guest */
export async function guestOf(app: FastifyInstance, path: string, entry: GuestEntry = {}) {
  const answer = await enter(app, path, entry);
  if (answer.statusCode !== 200) throw new Error(`the guest was refused: ${answer.body}`);
  return { cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

/** Uploads as a form. */
export async function addFiles(
  app: FastifyInstance,
  path: string,
  guest: Visitor,
  files: SentFile[],
  { keys }: { keys?: string[] } = {},
) {
  const { headers, payload } = await form(files);
  const sent = { ...headers, ...guest, ...(keys && { 'upload-keys': keys.join() }) };
  return app.inject({ method: 'POST', url: `${path}/upload`, headers: sent, payload });
}

/** Pictures with different bytes. */
export const pictures = (names: string[]): Promise<SentFile[]> =>
  Promise.all(names.map(async (name, at) => ({ name, bytes: await picture({ width: 40 + at, height: 20 }) })));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Opens a resumable upload. */
export const openUploadOf = (
  app: FastifyInstance,
  path: string,
  guest: Visitor,
  size: number,
  { name = 'a picture.png', key = '' } = {},
) =>
  app.inject({
    method: 'POST',
    url: `${path}/uploads`,
    headers: {
      ...{ ...tusHeaders, ...guest, 'upload-length': String(size) },
      'upload-metadata': `filename ${base64(name)}${key && `,upload_key ${base64(key)}`}`,
    },
  });

/** Sends a part, and asks for the result if it is the last. */
export const sendPartOf = (app: FastifyInstance, at: string, guest: Visitor, offset: number, bytes: Uint8Array) =>
  app.inject({
    method: 'PATCH',
    url: at,
    headers: {
      ...{ ...tusHeaders, ...guest, 'upload-offset': String(offset), prefer: 'return=representation' },
      'content-type': 'application/offset+octet-stream',
    },
    payload: Buffer.from(bytes),
  });
