/** Headers of the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload). */
import { InvalidRequest } from '../../errors.ts';

export const version = '1.0.0';

/** @returns a whole number from 0 @throws InvalidRequest */
export function readCount(name: string, header: string | string[] | undefined): number {
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw new InvalidRequest(`The header ${name} must be a whole number from 0.`);
}

/** The file name in `Upload-Metadata` (comma-separated pairs of key and base64 value), or ''. @throws InvalidRequest */
export function readFilename(header: string | string[] | undefined): string {
  if (header === undefined) return '';
  for (const pair of String(header).split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(/\s+/);
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    if (key === '' || more.length > 0 || !isBase64) {
      throw new InvalidRequest('The header Upload-Metadata must hold keys, each with a value in base64.');
    }
    // Postgres text cannot contain NUL.
    if (key === 'filename') return Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', '');
  }
  return '';
}

/** The `Upload-Metadata` header of a HEAD response. */
export const metadataOf = (filename: string): string => `filename ${Buffer.from(filename).toString('base64')}`;
