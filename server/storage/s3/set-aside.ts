import { randomUUID } from 'node:crypto';
import type { Header } from './calls/reads.ts';
import type { S3Calls } from './calls.ts';
import { isAbsent, isReplaced } from './failures.ts';
import type { S3Settings } from './settings.ts';

type Options = {
  day: string;
  /** ms since 1970: objects written since then stay. */
  olderThan: number;
};

/** @returns the new key below `lost-and-found/<day>/`, without the prefix; undefined if it was written or removed since */
export async function setAside(
  calls: S3Calls,
  settings: S3Settings,
  key: string,
  { day, olderThan }: Options,
): Promise<string | undefined> {
  const { prefix } = settings;
  const name = `${prefix}${key}`;
  const [listed] = (await calls.list(name, undefined)).found.filter((each) => each.name === name);
  const header = await calls.head(name);
  if (!listed || !header || listed.modified.getTime() >= olderThan) return undefined;
  const wanted = `lost-and-found/${day}/${key}`;
  const newKey = (await calls.head(`${prefix}${wanted}`)) ? `${wanted}.${randomUUID()}` : wanted;
  if (!(await copyWithin(calls, settings, name, `${prefix}${newKey}`, header))) return undefined;
  await calls.remove(name);
  return newKey;
}

/** @returns whether the object was copied: not if it was replaced meanwhile */
async function copyWithin(calls: S3Calls, { bucket }: S3Settings, from: string, to: string, { etag, size }: Header) {
  const { sdk, client } = calls;
  const source = `${bucket}/${from}`.split('/').map(encodeURIComponent).join('/');
  try {
    await client.send(
      new sdk.CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: source, CopySourceIfMatch: etag }),
    );
  } catch (error) {
    if (isReplaced(error) || isAbsent(error)) return false;
    throw error;
  }
  return (await calls.head(to))?.size === size;
}
