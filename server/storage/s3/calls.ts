import type { LinkedAs } from '../object-store.ts';
import { createAttempts } from './calls/attempts.ts';
import { type CallTimeouts, type Clients, defaultSockets, defaultTimeouts, openClients } from './calls/client.ts';
import { createReads } from './calls/reads.ts';
import { createSemaphore } from './calls/semaphore.ts';
import { createWrites } from './calls/writes.ts';
import type { S3Settings } from './settings.ts';

export type S3Calls = Awaited<ReturnType<typeof openCalls>>;

export async function openCalls(
  settings: S3Settings,
  timeouts: CallTimeouts = defaultTimeouts,
  sockets: typeof defaultSockets = defaultSockets,
) {
  const { bucket } = settings;
  const clients = await openClients(settings, timeouts, sockets);
  const attempts = createAttempts(timeouts);
  const semaphore = createSemaphore(sockets.objects);
  const { sdk, client, close } = clients;
  return {
    /** The raw client, for the check at the start and for copies within the bucket. */
    sdk,
    client,
    once: attempts.once,

    /** Open objects report here when their response is idle. */
    semaphore,

    ...createReads({ clients, bucket, attempts, semaphore }),
    ...createWrites({ clients, settings, attempts }),
    link: (name: string, as: LinkedAs) => presign(clients, bucket, name, as),
    close,
  };
}

/** Signed locally, without a request. */
async function presign({ sdk, client }: Clients, bucket: string, name: string, as: LinkedAs): Promise<string> {
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  const command = new sdk.GetObjectCommand({
    Bucket: bucket,
    Key: name,
    ResponseContentType: as.contentType,
    ResponseContentDisposition: as.disposition,
    ResponseCacheControl: `private, max-age=${as.seconds}`,
  });
  return getSignedUrl(client, command, { expiresIn: as.seconds });
}
