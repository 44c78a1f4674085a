/** A resumable upload (tus 1.0.0): continues after a lost connection or a killed program, and is stored once. */
import { Readable } from 'node:stream';
import type { ResumableUpload, StoredImage } from '../../server/contract.ts';
import { parsed } from './calls.ts';
import { ChangedFile } from './changed-file.ts';
import { type Answer, type Connection, Lost } from './http.ts';
import { Refused, refusalOf } from './refusal.ts';
import { attempt, call, createPatience, mayPass } from './retries.ts';
import type { Hooks, Source, Wishes } from './upload.ts';

const version = { 'tus-resumable': '1.0.0' };

/** Bytes of one request. Proxies often limit a request's size. */
const partSize = 8 * 2 ** 20;

/** How often the server may forget an upload, which then starts again. */
const mostBeginnings = 3;

const base64 = (text: string) => Buffer.from(text).toString('base64');

export function metadataOf(name: string, key: string, { album, expires }: Wishes): string {
  const pairs = { filename: name, upload_key: key, album, expires_in: expires };
  return Object.entries(pairs)
    .flatMap(([field, value]) => (value ? `${field} ${base64(value)}` : []))
    .join(',');
}

async function create(connection: Connection, source: Source, key: string, wishes: Wishes): Promise<string> {
  const { headers } = await call(connection, {
    method: 'POST',
    path: '/api/uploads',
    headers: {
      ...version,
      'upload-length': String(source.size),
      'upload-metadata': metadataOf(source.name, key, wishes),
    },
  });
  const { location } = headers;
  if (!location) throw new Error('The answer is not from a gallery. Check the address.');
  // Only the path: the token goes to no other host.
  return new URL(location, connection.address).pathname;
}

/** @returns the bytes that the server has */
async function offsetOf(connection: Connection, path: string): Promise<number> {
  const { headers } = await call(connection, { method: 'HEAD', path, headers: version });
  return Number(headers['upload-offset'] ?? 0);
}

/** @throws ChangedFile if the file has become shorter: the server would wait for the rest */
async function* whole(bytes: Readable, length: number): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    yield chunk;
  }
  if (read < length) throw new ChangedFile();
}

type Sending = { connection: Connection; source: Source; path: string; hooks: Hooks };

/** Sends one part. @returns the answer, or the failure after which the offset must be requested again */
async function sendPart({ connection, source, path, hooks }: Sending, offset: number): Promise<Answer | Lost> {
  const end = Math.min(source.size, offset + partSize);
  if (end === source.size) await hooks.check();
  let sent = offset;
  return attempt(connection, {
    method: 'PATCH',
    path,
    headers: {
      ...version,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      prefer: 'return=representation',
    },
    body: { length: end - offset, open: () => Readable.from(whole(source.read(offset, end), end - offset)) },
    onSent(bytes) {
      sent += bytes;
      hooks.onProgress(sent);
    },
  });
}

/** @returns the outcome @throws Refused, also with 404 if the server has forgotten the upload; Unreachable */
async function sendRest(sending: Sending, isNew: boolean): Promise<ResumableUpload> {
  const { connection, source, path, hooks } = sending;
  const patience = createPatience(connection);
  let offset = isNew ? 0 : await offsetOf(connection, path);
  while (offset < source.size) {
    hooks.onProgress(offset);
    const outcome = await sendPart(sending, offset);
    const isLost = outcome instanceof Lost;
    if (!isLost && outcome.status === 200) return parsed(outcome.body);
    // Another call may still be writing (423) or have written (409).
    const isOutOfStep = !isLost && (outcome.status === 409 || outcome.status === 423);
    if (mayPass(outcome) || isOutOfStep) await patience.waitAfter(outcome);
    else if (!isLost && outcome.status >= 300) throw refusalOf(outcome);
    const before = offset;
    offset = await offsetOf(connection, path);
    if (offset > before) patience.reset();
  }
  return parsed((await call(connection, { method: 'GET', path })).body);
}

function imageIn({ image, rejected }: ResumableUpload): StoredImage {
  if (rejected) throw new Refused(422, rejected.code, rejected.message);
  if (!image) throw new Refused(404, 'NOT_FOUND', 'The image was deleted right after its upload.');
  return image;
}

const isForgotten = (error: unknown) => error instanceof Refused && error.status === 404 && error.code === 'NOT_FOUND';

/** Deletes an upload that will not be continued; otherwise it expires. */
const abandon = (connection: Connection, path: string) =>
  attempt(connection, { method: 'DELETE', path, headers: version }).catch(() => undefined);

/** @throws Refused, Unreachable; the error of `hooks.check` */
export async function uploadResumable(
  connection: Connection,
  source: Source,
  { key, begun, ...wishes }: Wishes & { key: string; begun?: string | undefined },
  hooks: Hooks,
): Promise<StoredImage> {
  let path = begun;
  for (let beginnings = 0; ; ) {
    const isNew = path === undefined;
    if (path === undefined) {
      path = await create(connection, source, key, wishes);
      hooks.onUrl(path);
      beginnings += 1;
    }
    let outcome: ResumableUpload;
    try {
      outcome = await sendRest({ connection, source, path, hooks }, isNew);
    } catch (error) {
      if (error instanceof ChangedFile) await abandon(connection, path);
      if (error instanceof ChangedFile || isForgotten(error)) hooks.onUrl(undefined);
      if (!isForgotten(error) || beginnings >= mostBeginnings) throw error;
      path = undefined;
      continue;
    }
    // The next run starts again: what was in the way may have changed.
    if (!outcome.image) hooks.onUrl(undefined);
    return imageIn(outcome);
  }
}
