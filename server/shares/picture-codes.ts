/**
 * How a share names its pictures: the image's id, encrypted with a key of the share. A code is the same for the life of the
 * share, and shows neither the permanent link nor how many pictures there are.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { validate as isUuid } from 'uuid';

const form = /^[\w-]{22}$/;

type PictureCodes = {
  /** 22 characters, base64url. */
  codeOf(imageId: string): string;
  /** @returns undefined for what is no code of this share */
  imageOf(code: string): string | undefined;
};

/** A UUID is one block of AES, so no mode and no padding is needed. */
const cipher = ['aes-128-ecb', null] as const;

/** @param secret shared by all servers, kept across restarts */
export const createPictureCodes =
  (secret: string) =>
  (shareId: string): PictureCodes => {
    const key = Buffer.from(hkdfSync('sha256', secret, shareId, 'gallery, pictures of a share', 16));
    return {
      codeOf(imageId) {
        const encrypting = createCipheriv(cipher[0], key, cipher[1]).setAutoPadding(false);
        return encrypting.update(imageId.replaceAll('-', ''), 'hex').toString('base64url');
      },
      imageOf(code) {
        const block = Buffer.from(form.test(code) ? code : '', 'base64url');
        // Several texts decode to the same bytes.
        if (block.length !== 16 || block.toString('base64url') !== code) return undefined;
        const decrypting = createDecipheriv(cipher[0], key, cipher[1]).setAutoPadding(false);
        const hex = decrypting.update(block).toString('hex');
        const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
        return isUuid(id) ? id : undefined;
      },
    };
  };
