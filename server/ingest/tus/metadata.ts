/** The headers of the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload). */
import { InvalidRequest } from '../../errors.ts';

export const version = '1.0.0';

/** @returns a whole number from 0 @throws InvalidRequest */
export function readCount(name: string, header: string | string[] | undefined): number {
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw new InvalidRequest(`The header ${name} must be a whole number from 0.`);
}

/**
 * The file's name from `Upload-Metadata`: pairs of a key and its value in base64, separated by commas.
 * @returns empty where none is given @throws InvalidRequest
 */
export function readFilename(header: string | string[] | undefined): string {
  if (header === undefined) return '';
  for (const pair of String(header).split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(/\s+/);
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    if (key === '' || more.length > 0 || !isBase64) {
      throw new InvalidRequest('The header Upload-Metadata must hold keys, each with a value in base64.');
    }
    // A database takes no NUL in a text.
    if (key === 'filename') return Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', '');
  }
  return '';
}

/** As it is told to whoever asks how far it has come. */
export const metadataOf = (filename: string): string => `filename ${Buffer.from(filename).toString('base64')}`;
