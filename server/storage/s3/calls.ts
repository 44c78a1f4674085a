/** One call at a time to an S3 server: signed, bounded in time, tried again where that may help. */
import { createReadStream } from 'node:fs';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { LinkedAs } from '../objects.ts';
import { asStorageError, isAbsent, mayPass } from './failures.ts';
import type { S3Settings } from './settings.ts';

/** Milliseconds. */
const usualPatience = {
  /** For a connection. */
  connect: 3_000,
  /** From a call to the head of its answer, but for those that send a body. */
  answer: 6_000,
  /** Without a byte in either direction. */
  silence: 15_000,
  /** Since its first attempt, in which a call is tried again. */
  again: 4_000,
};

const mostAttempts = 3;

/** Connections at once to the server; more calls wait for one. */
const mostSockets = 128;

export type Patience = typeof usualPatience;

const silent = () => undefined;

/** As the server names what it holds. */
export type Head = {
  size: number;
  etag: string;
  /** Hex, as the server verified it when the object was written; undefined where another program wrote it. */
  sha256?: string | undefined;
};
export type Opened = Head & { body: Readable };

export type S3Calls = Awaited<ReturnType<typeof openCalls>>;

/** Loads the SDK, which only who stores there has to pay for. */
export async function openCalls(settings: S3Settings, patience: Patience = usualPatience) {
  // Its version is pinned, and fits Node's: what later ones will need is nothing to tell the administrator at each command.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = settings;
  const sockets = { keepAlive: true, maxSockets: mostSockets };
  const client = new sdk.S3Client({
    ...(endpoint ? { endpoint } : {}),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    maxAttempts: 1,
    // The payload's hash is signed, which every server verifies; further checksums not all of them know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    // What fails is told by whoever called.
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: patience.connect,
      socketTimeout: patience.silence,
      httpAgent: new Agent(sockets),
      httpsAgent: new TlsAgent(sockets),
    },
  });

  /** @param bounded whether an answer has to begin within its time */
  async function once<T>(bounded: boolean, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const timer = bounded
      ? setTimeout(() => late.abort(new Error('no answer within the time for it')), patience.answer)
      : undefined;
    try {
      return await call(late.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws what the server answered, for which there is nothing to try again */
  async function tried<T>(bounded: boolean, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const began = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(bounded, call);
      } catch (error) {
        const over = attempt === mostAttempts || performance.now() - began > patience.again;
        if (over || !mayPass(error)) throw error;
        await wait(50 * 4 ** attempt * Math.random());
      }
    }
  }

  const at = (name: string) => ({ Bucket: bucket, Key: name });

  /** The hash is signed with the rest: of other bytes than these the server takes none. */
  function put(name: string, body: Readable | Uint8Array, { size, sha256, absent = false }: PutOptions) {
    const command = new sdk.PutObjectCommand({
      ...at(name),
      Body: body,
      ContentLength: size,
      ContentType: 'application/octet-stream',
      Metadata: { sha256 },
      ...(absent ? { IfNoneMatch: '*' } : {}),
      // AWS keeps it, too, beside the object.
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

  async function sendFile(path: string, name: string, options: PutOptions): Promise<void> {
    await tried(false, async (abortSignal) => {
      const body = createReadStream(path, { highWaterMark: 2 ** 18 });
      // The SDK does not listen: what the local disk fails at ends the call.
      const failed = new Promise<never>((_resolve, reject) => body.once('error', reject));
      try {
        await Promise.race([client.send(put(name, body, options), { abortSignal }), failed]);
      } finally {
        body.destroy();
      }
    });
  }

  const calls = {
    /** The raw client, for what is asked once: the check at the start, links that are signed. */
    sdk,
    client,
    once,

    putFile: sendFile,

    put: (name: string, bytes: Uint8Array, options: PutOptions): Promise<void> =>
      tried(true, async (abortSignal) => {
        await client.send(put(name, bytes, options), { abortSignal });
      }),

    /** @param range first byte, and the last where not all of the rest is wanted @param etag of the only version that will do */
    get: (name: string, range?: { start: number; end?: number | undefined }, etag?: string): Promise<Opened> =>
      tried(true, async (abortSignal) => {
        const answer = await client.send(
          new sdk.GetObjectCommand({
            ...at(name),
            ...(range ? { Range: `bytes=${range.start}-${range.end ?? ''}` } : {}),
            ...(etag ? { IfMatch: etag } : {}),
          }),
          { abortSignal },
        );
        const body = answer.Body as Readable;
        const total = answer.ContentRange?.split('/')[1] ?? answer.ContentLength;
        return { body, size: Number(total), etag: answer.ETag ?? '', sha256: answer.Metadata?.sha256 };
      }),

    /** @returns undefined where nothing stands there, or the bucket is missing */
    head: (name: string): Promise<Head | undefined> =>
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

    /** One page of those whose names begin so, in the order of their names. @param after a name: only those behind it */
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

    /** Nobody is asked for it: it is signed here. */
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

    close: (): void => client.destroy(),
  };
  return { ...calls, listAll: (start: string) => allPages((after) => guardedS3(() => calls.list(start, after))) };
}

type Page = { found: { name: string; size: number; modified: Date }[]; more: boolean };

/** What comes or goes while it is read may show or not. */
async function* allPages(pageAfter: (after: string | undefined) => Promise<Page>): AsyncGenerator<Page['found'][0]> {
  for (let after: string | undefined; ; ) {
    const { found, more }: Page = await pageAfter(after);
    yield* found;
    after = found.at(-1)?.name;
    if (!more) return;
  }
}

type PutOptions = {
  size: number;
  /** Hex. */
  sha256: string;
  /** Only where nothing stands there yet. */
  absent?: boolean;
};

/** Runs what speaks to the server. @throws NoSpace, StorageUnavailable */
export async function guardedS3<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}
