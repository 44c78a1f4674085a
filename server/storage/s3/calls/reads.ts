import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { guardedS3, isAbsent } from '../failures.ts';
import type { Attempts } from './attempts.ts';
import type { Clients } from './client.ts';
import { allPages } from './pages.ts';
import type { Semaphore } from './semaphore.ts';

export type Header = {
  size: number;
  etag: string;
  /** Hex, as the server verified it on upload; undefined if another program wrote the object. */
  sha256?: string | undefined;
};
export type Opened = Header & { body: Readable };

/** The first byte, and the last one unless the rest is wanted. */
type Part = { start: number; end?: number | undefined };

type Options = { clients: Clients; bucket: string; attempts: Attempts; semaphore: Semaphore };

/** @returns the offset and the size of the whole object */
function rangeIn(contentRange: string): number[] {
  return (/^bytes (\d+)-\d+\/(\d+)$/.exec(contentRange) ?? []).slice(1).map(Number);
}

export function createReads({ clients, bucket, attempts: { withAttempts }, semaphore }: Options) {
  const { sdk, client, objects } = clients;

  async function request(
    through: typeof client,
    abortSignal: AbortSignal,
    name: string,
    part?: Part,
    etag?: string,
  ): Promise<Opened> {
    const command = new sdk.GetObjectCommand({
      Bucket: bucket,
      Key: name,
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

  /** One page of the objects with this name prefix, sorted by name. @param after returns only names after this one */
  const list = (start: string, after: string | undefined) =>
    withAttempts(true, async (abortSignal) => {
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
    });

  return {
    /** The caller reads or destroys the body. @param etag the only acceptable version */
    get: (name: string, part?: Part, etag?: string): Promise<Opened> =>
      withAttempts(true, async (abortSignal) => {
        const release = semaphore.take();
        const opened = await request(objects, abortSignal, name, part, etag).catch((error) => {
          release();
          throw error;
        });
        opened.body.once('close', release);
        return opened;
      }),

    /** Reads a few bytes without waiting for long readers. */
    peek: (name: string, part: Part): Promise<Buffer> =>
      withAttempts(true, async (abortSignal) => buffer((await request(client, abortSignal, name, part)).body)),

    /** @returns undefined if there is no object or no bucket */
    head: (name: string): Promise<Header | undefined> =>
      withAttempts(true, (abortSignal) =>
        client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: name }), { abortSignal }),
      ).then(
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

    list,
    listAll: (start: string) => allPages((after) => guardedS3(() => list(start, after))),
  };
}
