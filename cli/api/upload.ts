/** Uploads one file: small ones as a form, large ones as a resumable upload. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StoredImage, UploadAnswer } from '../../server/contract.ts';
import { parsed } from './calls.ts';
import type { Connection } from './http.ts';
import { uploadResumable } from './resumable.ts';
import { call } from './retries.ts';

/** What an upload requests besides storing the file. */
export type Wishes = { album?: string | undefined; expires?: string | undefined };

export type Source = {
  /** Empty for standard input; the server then names the image after its type. */
  name: string;
  /** Bytes. */
  size: number;
  read(from: number, to: number): Readable;
};

export const bytesSource = (name: string, bytes: Buffer): Source => ({
  name,
  size: bytes.length,
  read: (from, to) => Readable.from(to > from ? [bytes.subarray(from, to)] : []),
});

export type Hooks = {
  /** Bytes of the file that have left; fewer than before if some must be sent again. */
  onProgress: (bytes: number) => void;
  /** The path of the resumable upload, before its first byte is sent; undefined if the server has forgotten it. */
  onUrl: (path: string | undefined) => void;
  /** Checked before the last bytes of a resumable upload are sent. @throws to give up */
  check: () => Promise<void>;
};

/** Files above this size are resumable uploads. A lost connection costs a smaller one at most this many bytes. */
export const largestForm = 8 * 2 ** 20;

/** Quotes as browsers do (HTML Standard, multipart/form-data encoding algorithm). */
const quoted = (name: string) => name.replace(/["\r\n]/g, (one) => encodeURIComponent(one));

export function queryOf({ album, expires }: Wishes): string {
  const query = new URLSearchParams({ ...(album ? { album } : {}), ...(expires ? { expires_in: expires } : {}) });
  return query.size > 0 ? `?${query}` : '';
}

async function* formOf({ size, read }: Source, [head, tail]: [Buffer, Buffer]): AsyncGenerator<Buffer> {
  yield head;
  if (size > 0) yield* read(0, size);
  yield tail;
}

/** @param key makes a repetition safe: the server stores a file once under its key */
export async function uploadForm(
  connection: Connection,
  source: Source,
  key: string,
  wishes: Wishes,
  onProgress: Hooks['onProgress'],
): Promise<StoredImage> {
  const boundary = `gallery-${randomBytes(18).toString('hex')}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="images"; filename="${quoted(source.name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let sent = 0;
  const { body } = await call(connection, {
    method: 'POST',
    path: `/api/images/upload${queryOf(wishes)}`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'upload-keys': key },
    body: {
      length: head.length + source.size + tail.length,
      open() {
        sent = 0;
        onProgress(0);
        return Readable.from(formOf(source, [head, tail]));
      },
    },
    onSent(bytes) {
      sent += bytes;
      onProgress(Math.min(source.size, sent));
    },
  });
  const [image] = parsed<UploadAnswer>(body).images;
  if (!image) throw new Error('The server stored nothing.');
  return image;
}

/** @param begun path of a resumable upload of this file that an earlier run began */
export function uploadFile(
  connection: Connection,
  source: Source,
  { key, begun, ...wishes }: Wishes & { key: string; begun?: string | undefined },
  hooks: Hooks,
): Promise<StoredImage> {
  if (!begun && source.size <= largestForm) return uploadForm(connection, source, key, wishes, hooks.onProgress);
  return uploadResumable(connection, source, { key, begun, ...wishes }, hooks);
}
