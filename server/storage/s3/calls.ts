import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { LinkedAs } from '../object-store.ts';
import { createAttempts } from './attempts.ts';
import { defaultRetryPolicy, defaultSockets, openClients, type RetryPolicy } from './client.ts';
import { guardedS3, isAbsent } from './failures.ts';
import { allPages } from './pages.ts';
import { createSemaphore } from './semaphore.ts';
import type { S3Settings } from './settings.ts';

export type Header = {
  size: number;
  etag: string;
  /** Hex, as the server verified it on upload; undefined if another program wrote the object. */
  sha256?: string | undefined;
};
export type Opened = Header & { body: Readable };

export type S3Calls = Awaited<ReturnType<typeof openCalls>>;

export async function openCalls(
  settings: S3Settings,
  patience: RetryPolicy = defaultRetryPolicy,
  sockets: typeof defaultSockets = defaultSockets,
) {
  const { sdk, client, objects, close } = await openClients(settings, patience, sockets);
  const { endpoint, bucket } = settings;
  const semaphore = createSemaphore(sockets.objects);

  const { once, tried } = createAttempts(patience);

  const at = (name: string) => ({ Bucket: bucket, Key: name });

  /** The signature covers the hash, so the server rejects other bytes. */
  function put(name: string, body: Readable | Uint8Array, { size, sha256, absent = false }: PutOptions) {
    const command = new sdk.PutObjectCommand({
      ...at(name),
      Body: body,
      ContentLength: size,
      ContentType: 'application/octet-stream',
      Metadata: { sha256 },
      ...(absent ? { IfNoneMatch: '*' } : {}),
      // AWS also stores it with the object.
      ...(endpoint ? {} : { ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64') }),
    });
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { 'x-amz-content-sha256': sha256 });
        return next(args);
      },
      { step: 'build', name: 'signed-payload' },
    );
    return command;
  }

  async function ask(
    through: typeof client,
    abortSignal: AbortSignal,
    name: string,
    part?: Part,
    etag?: string,
  ): Promise<Opened> {
    const command = new sdk.GetObjectCommand({
      ...at(name),
      ...(part ? { Range: `bytes=${part.start}-${part.end ?? ''}` } : {}),
      ...(etag ? { IfMatch: etag } : {}),
    });
    const answer = await through.send(command, { abortSignal });
    const body = answer.Body as Readable;
    // A server without range support responds with the whole object.
    const [from, size] = answer.ContentRange ? rangeIn(answer.ContentRange) : [0, answer.ContentLength];
    if (size === undefined || from !== (part?.start ?? 0)) {
      body.on('error', () => undefined).destroy();
      throw new Error(`the answer does not begin at byte ${part?.start ?? 0}`);
    }
    return { body, size, etag: answer.ETag ?? '', sha256: answer.Metadata?.sha256 };
  }

  async function sendFile(path: string, name: string, options: PutOptions): Promise<void> {
    await tried(false, async (abortSignal) => {
      const body = createReadStream(path, { highWaterMark: 2 ** 18 });
      // The SDK does not listen for errors of the local file.
      const failed = new Promise<never>((_resolve, reject) => body.once('error', reject));
      try {
        await Promise.race([client.send(put(name, body, options), { abortSignal }), failed]);
      } finally {
        body.destroy();
      }
    });
  }

  const calls = {
    /** The raw client, for the check at the start and for presigned links. */
    sdk,
    client,
    once,

    putFile: sendFile,

    put: (name: string, bytes: Uint8Array, options: PutOptions): Promise<void> =>
      tried(true, async (abortSignal) => {
        await client.send(put(name, bytes, options), { abortSignal });
      }),

    /** Open objects report here when their response is idle. */
    semaphore,

    /** The caller reads or destroys the body. @param etag the only acceptable version */
    get: (name: string, part?: Part, etag?: string): Promise<Opened> =>
      tried(true, async (abortSignal) => {
        const leave = semaphore.take();
        const opened = await ask(objects, abortSignal, name, part, etag).catch((error) => {
          leave();
          throw error;
        });
        opened.body.once('close', leave);
        return opened;
      }),

    /** Reads a few bytes without waiting for long readers. */
    peek: (name: string, part: Part): Promise<Buffer> =>
      tried(true, async (abortSignal) => buffer((await ask(client, abortSignal, name, part)).body)),

    /** @returns undefined if there is no object or no bucket */
    head: (name: string): Promise<Header | undefined> =>
      tried(true, (abortSignal) => client.send(new sdk.HeadObjectCommand(at(name)), { abortSignal })).then(
        ({ ContentLength, ETag, Metadata }) => ({
          size: ContentLength ?? 0,
          etag: ETag ?? '',
          sha256: Metadata?.sha256,
        }),
        (error: unknown) => {
          if (isAbsent(error)) return undefined;
          throw error;
        },
      ),

    remove: (name: string): Promise<void> =>
      tried(true, async (abortSignal) => {
        await client.send(new sdk.DeleteObjectCommand(at(name)), { abortSignal });
      }),

    /** One page of the objects with this name prefix, sorted by name. @param after returns only names after this one */
    list: (start: string, after: string | undefined) =>
      tried(true, async (abortSignal) => {
        const answer = await client.send(
          new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: start, ...(after ? { StartAfter: after } : {}) }),
          { abortSignal },
        );
        const found = (answer.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
          name: Key,
          size: Size,
          modified: LastModified,
        }));
        return { found, more: answer.IsTruncated === true && found.length > 0 };
      }),

    /** Signed locally, without a request. */
    async link(name: string, { contentType, disposition, seconds }: LinkedAs): Promise<string> {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.GetObjectCommand({
        ...at(name),
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: `private, max-age=${seconds}`,
      });
      return getSignedUrl(client, command, { expiresIn: seconds });
    },

    close,
  };
  return { ...calls, listAll: (start: string) => allPages((after) => guardedS3(() => calls.list(start, after))) };
}

/** The first byte, and the last one unless the rest is wanted. */
type Part = { start: number; end?: number | undefined };

/** @returns the offset and the size of the whole object */
const rangeIn = (contentRange: string): number[] =>
  (/^bytes (\d+)-\d+\/(\d+)$/.exec(contentRange) ?? []).slice(1).map(Number);

type PutOptions = {
  size: number;
  /** Hex. */
  sha256: string;
  absent?: boolean;
};
