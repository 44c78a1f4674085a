/** Seals the secrets of authenticator apps: the database alone does not contain them. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const version = 'v1.';
const [ivBytes, tagBytes] = [12, 16];

export type Sealing = ReturnType<typeof createSealing>;

/** @param secret the server's, which signs the tokens */
export function createSealing(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'secrets of authenticator apps', 32));

  return {
    /** @param userId bound to it: it cannot be opened for another account */
    seal(plain: Uint8Array, userId: string): string {
      const iv = randomBytes(ivBytes);
      const sealer = createCipheriv(cipher, key, iv).setAAD(Buffer.from(userId));
      const sealed = Buffer.concat([sealer.update(plain), sealer.final()]);
      return version + Buffer.concat([iv, sealer.getAuthTag(), sealed]).toString('base64url');
    },

    /** @returns undefined if it was sealed by another secret or for another account, or is damaged */
    open(text: string, userId: string): Buffer | undefined {
      const bytes = Buffer.from(text.slice(version.length), 'base64url');
      if (!text.startsWith(version) || bytes.length < ivBytes + tagBytes) return undefined;
      try {
        const opener = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(userId))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return Buffer.concat([opener.update(bytes.subarray(ivBytes + tagBytes)), opener.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
