/** Codes of authenticator apps (TOTP, RFC 6238), in the form that all apps support: SHA-1, 6 digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth';

const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** 160 bits, as long as SHA-1 (RFC 4226, 4). */
export const newTotpSecret = (): Uint8Array => new Secret({ size: 20 }).bytes;

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer });

/** @param issuer what the app calls this server */
export function describeTotp(bytes: Uint8Array, { issuer, label }: { issuer: string; label: string }) {
  const secret = secretOf(bytes);
  return { secret: secret.base32, uri: new TOTP({ ...form, issuer, label, secret }).toString() };
}

/** Digits as people type them: with spaces, from an Arabic or a Persian keyboard. */
const digitsOf = (typed: string) =>
  typed
    .replace(/[\s-]/g, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));

/** @returns the time step of a right code, from one before to one after now; undefined for a wrong code */
export function stepOf(bytes: Uint8Array, code: string, now = Date.now()): number | undefined {
  const token = digitsOf(code);
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = TOTP.validate({ ...form, secret: secretOf(bytes), token, timestamp: now, window: 1 });
  return delta === null ? undefined : TOTP.counter({ ...form, timestamp: now }) + delta;
}
