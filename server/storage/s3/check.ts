import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../config/reading.ts';
import { sha256Of } from '../../lib/sha256.ts';
import type { S3Calls } from './calls.ts';
import { codeOf, statusOf } from './failures.ts';
import { locationOf, type S3Settings } from './settings.ts';

const keys = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY';

const needs = 'The server needs HeadBucket, PutObject, GetObject, ListObjectsV2 and DeleteObject there.';
const unreached =
  'Check that the S3 server is up and that this machine reaches it (address, port, firewall, proxy), then start again.';

const blamed: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET',
  NotFound: 'S3_BUCKET',
  InvalidBucketName: 'S3_BUCKET',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'S3_REGION',
  PermanentRedirect: 'S3_REGION',
  IllegalLocationConstraintException: 'S3_REGION',
  InvalidRegionName: 'S3_REGION',
  AccessDenied: keys,
  Forbidden: keys,
  MethodNotAllowed: 'S3_ENDPOINT or S3_FORCE_PATH_STYLE',
};

function blame(error: unknown): string {
  const status = statusOf(error);
  // Without path style, the host name contains the bucket's name and may not exist.
  if (status === undefined) return 'S3_ENDPOINT (or S3_FORCE_PATH_STYLE)';
  const byStatus: Record<number, string> = { 301: 'S3_REGION', 400: 'S3_REGION', 403: keys, 404: 'S3_BUCKET' };
  return blamed[codeOf(error)] ?? byStatus[status] ?? 'S3_ENDPOINT';
}

const reasonOf = (error: unknown) => {
  const { message } = error as Error;
  const code = codeOf(error);
  return message && message !== code && message !== 'UnknownError' ? `${code}: ${message}` : code;
};

/** @throws ConfigError, one line, with the variables to check and the call that failed */
export async function checkBucket(calls: S3Calls, settings: S3Settings): Promise<void> {
  const { sdk, client, once } = calls;
  const bucket = { Bucket: settings.bucket };
  const probe = { ...bucket, Key: `${settings.prefix}check/${randomUUID()}` };
  const bytes = Buffer.from('a check at the start');

  async function step<T>(name: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await once(true, call);
    } catch (error) {
      const line = `${blame(error)}: ${name} in ${locationOf(settings)} failed (${reasonOf(error)})`;
      const advice = statusOf(error) === undefined ? unreached : needs;
      throw new ConfigError(`${line.replace(/\s+/g, ' ')}. ${advice}`, { cause: error });
    }
  }

  const list = new sdk.ListObjectsV2Command({ ...bucket, Prefix: probe.Key, MaxKeys: 1 });
  await step('HeadBucket', (abortSignal) =>
    client.send(new sdk.HeadBucketCommand(bucket), { abortSignal }).catch(async (error: unknown) => {
      // A HEAD response has no error text; another call's may have one.
      if (statusOf(error) !== undefined) await client.send(list, { abortSignal });
      throw error;
    }),
  );
  await step('PutObject', () => calls.put(probe.Key, bytes, { size: bytes.length, sha256: sha256Of(bytes) }));
  const found = await step('GetObject', async () => text((await calls.get(probe.Key)).body));
  if (found !== bytes.toString()) {
    throw new ConfigError(
      `S3_ENDPOINT: GetObject in ${locationOf(settings)} gave other bytes than PutObject was given`,
    );
  }
  await step('ListObjectsV2', (abortSignal) => client.send(list, { abortSignal }));
  await step('DeleteObject', () => calls.remove(probe.Key));
}
