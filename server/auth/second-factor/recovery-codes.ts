import { createHash, randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';

const count = 10;

/** 80 random bits, in groups of four: `ABCD-EFGH-IJKL-MNOP`. */
function newCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer });
  return base32.match(/.{4}/g)?.join('-') ?? base32;
}

export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode);

/** The codes are random, so a fast hash is enough. Base32 has no 0, 1 and 8, which people read instead of letters. */
export function hashRecoveryCode(typed: string): string {
  const code = typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I')
    .replaceAll('8', 'B');
  return createHash('sha256').update(code).digest('hex');
}
