/** Headers of the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload). */
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { Access } from '../../database/statements/access.ts';
import { InvalidRequest } from '../../errors.ts';
import { keyScope } from '../upload-keys.ts';
import { optionNames, type SentOptions } from '../upload-options.ts';

export const version = '1.0.0';

/** @returns a whole number from 0 @throws InvalidRequest */
export function readCount(name: string, header: string | string[] | undefined): number {
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw new InvalidRequest(`The header ${name} must be a whole number from 0.`);
}

const known = ['filename', 'upload_key', ...optionNames] as const;

export type Metadata = { filename?: string; upload_key?: string } & SentOptions;

/**
 * The known keys in `Upload-Metadata` (comma-separated pairs of key and base64 value). The first of a repeated key counts.
 * @throws InvalidRequest
 */
export function readMetadata(header: string | string[] | undefined): Metadata {
  const metadata: Metadata = {};
  if (header === undefined) return metadata;
  for (const pair of String(header).split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(/\s+/);
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    if (key === '' || more.length > 0 || !isBase64) {
      throw new InvalidRequest('The header Upload-Metadata must hold keys, each with a value in base64.');
    }
    const name = known.find((one) => one === key);
    // Postgres text cannot contain NUL.
    if (name) metadata[name] ??= Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', '');
  }
  return metadata;
}

/** The `Upload-Metadata` header of a HEAD response, without what the upload stores only as a hash. */
export function metadataOf(
  { filename, albumId, expiresIn, deleteLink, uploadKey }: UploadRow,
  access: Pick<Access, 'albumId' | 'guest'>,
): string {
  const pairs = [
    ['filename', filename],
    ['album', albumId],
    ['expires_in', expiresIn],
    ['delete_link', deleteLink ? '1' : null],
    ['upload_key', keyScope(access) === null ? uploadKey : null],
  ] as const;
  return pairs
    .flatMap(([key, value]) => (value === null ? [] : [`${key} ${Buffer.from(value).toString('base64')}`]))
    .join(',');
}
