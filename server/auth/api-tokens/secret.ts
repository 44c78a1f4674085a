/** Secrets of API tokens: `enc_`, 256 random bits, and a checksum, so that a mistyped one is refused without the database. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'enc_';
const RANDOM_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^(enc_[\w-]{43})([0-9A-Za-z]{6})$/;

/** Characters of a secret that its owner recognizes it by. */
const START_LENGTH = 8;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The CRC-32 of a text in six digits of base 62. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export type NewSecret = { secret: string; hash: string; start: string };

export function createSecret(): NewSecret {
  const random = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  const secret = random + checksumOf(random);
  return { secret, hash: hashOf(secret), start: secret.slice(0, START_LENGTH) };
}

/** Whether a text is meant as the secret of a token, complete or not. */
export const isLikeSecret = (text: string): boolean => text.startsWith(PREFIX);

/** @returns the SHA-256 that the database knows the secret by; undefined if it is mistyped */
export function hashOfSecret(text: string): string | undefined {
  const [, random, checksum] = FORM.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum ? hashOf(text) : undefined;
}
