import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { S3Settings } from '../settings.ts';
import type { Attempts } from './attempts.ts';
import type { Clients } from './client.ts';

type PutOptions = {
  size: number;
  /** Hex. */
  sha256: string;
  absent?: boolean;
};

type Options = { clients: Clients; settings: S3Settings; attempts: Attempts };

export function createWrites({ clients, settings, attempts: { withAttempts } }: Options) {
  const { sdk, client } = clients;
  const { endpoint, bucket } = settings;

  /** The signature covers the hash, so the server rejects other bytes. */
  function putCommand(name: string, body: Readable | Uint8Array, { size, sha256, absent = false }: PutOptions) {
    const command = new sdk.PutObjectCommand({
      Bucket: bucket,
      Key: name,
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

  return {
    async putFile(path: string, name: string, options: PutOptions): Promise<void> {
      await withAttempts(false, async (abortSignal) => {
        const body = createReadStream(path, { highWaterMark: 2 ** 18 });
        // The SDK does not listen for errors of the local file.
        const failed = new Promise<never>((_resolve, reject) => body.once('error', reject));
        try {
          await Promise.race([client.send(putCommand(name, body, options), { abortSignal }), failed]);
        } finally {
          body.destroy();
        }
      });
    },

    put: (name: string, bytes: Uint8Array, options: PutOptions): Promise<void> =>
      withAttempts(true, async (abortSignal) => {
        await client.send(putCommand(name, bytes, options), { abortSignal });
      }),

    remove: (name: string): Promise<void> =>
      withAttempts(true, async (abortSignal) => {
        await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: name }), { abortSignal });
      }),
  };
}
