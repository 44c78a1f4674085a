/**
 * Tink's streaming AEAD AES-GCM-HKDF (docs/encryption.md): bytes as segments that are sealed one by one, so that any of
 * them can be opened without the others, and none can be changed, moved, left out or added unnoticed.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export type StreamParameters = {
  /** Of HKDF. */
  hash: 'sha1' | 'sha256' | 'sha512';
  /** Bytes of the key that HKDF derives, and so which AES. The salt has as many. */
  derivedKeySize: 16 | 32;
  /** Bytes of each sealed segment but the last; of the first one, the header is a part. */
  segmentSize: number;
};

export const TAG_SIZE = 16;
const NONCE_PREFIX_SIZE = 7;
/** Their number has four bytes in the nonce. */
const MOST_SEGMENTS = 2 ** 32;

/** The bytes are not those that were sealed under this name with this key. */
export class BrokenSeal extends Error {
  readonly code = 'BROKEN_SEAL';
}

export const headerSizeOf = ({ derivedKeySize }: StreamParameters): number => 1 + derivedKeySize + NONCE_PREFIX_SIZE;

/** Where the segments stand, as numbers alone. */
export type Layout = {
  headerSize: number;
  /** Bytes of plaintext in a segment that is not the last; a first one holds fewer. */
  capacityOf(segment: number): number;
  /** Bytes before the segment's, in the plaintext and in the sealed stream, whose header comes first. */
  startOf(segment: number): { plain: number; sealed: number };
  /** The segment with this byte of the plaintext. */
  segmentAt(position: number): number;
  /** @returns undefined for a size that no sealed stream has */
  plainSize(sealedSize: number): number | undefined;
  sealedSize(plainSize: number): number;
};

export function layoutOf(parameters: StreamParameters): Layout {
  const { segmentSize } = parameters;
  const headerSize = headerSizeOf(parameters);
  const first = segmentSize - headerSize - TAG_SIZE;
  const other = segmentSize - TAG_SIZE;
  if (!Number.isSafeInteger(segmentSize) || first < 1) throw new TypeError(`${segmentSize} is no size of a segment`);
  return {
    headerSize,
    capacityOf: (segment) => (segment === 0 ? first : other),
    startOf: (segment) =>
      segment === 0
        ? { plain: 0, sealed: headerSize }
        : { plain: first + (segment - 1) * other, sealed: segment * segmentSize },
    segmentAt: (position) => (position < first ? 0 : 1 + Math.floor((position - first) / other)),
    plainSize(sealedSize) {
      const segments = Math.max(1, Math.ceil(sealedSize / segmentSize));
      const size = sealedSize - headerSize - segments * TAG_SIZE;
      // The last segment holds a byte at least, unless it is the only one.
      const least = segments === 1 ? 0 : first + (segments - 2) * other + 1;
      return Number.isSafeInteger(sealedSize) && size >= least ? size : undefined;
    },
    sealedSize(plainSize) {
      const segments = plainSize <= first ? 1 : 1 + Math.ceil((plainSize - first) / other);
      return headerSize + plainSize + segments * TAG_SIZE;
    },
  };
}

type Key = {
  parameters: StreamParameters;
  /** The input of HKDF. */
  key: Uint8Array;
  /** Told again when it is opened: under other associated data nothing opens. */
  associatedData: Uint8Array;
};

export type SegmentSealer = {
  readonly header: Buffer;
  /** @returns what follows one another in the stream: the sealed bytes, their tag */
  seal(segment: number, isLast: boolean, plain: Uint8Array): [Buffer, Buffer];
};

/** For one stream: no two have the same key and nonces, since the salt is drawn anew. */
export function createSegmentSealer(sealing: Key): SegmentSealer {
  const { derivedKeySize } = sealing.parameters;
  const header = Buffer.concat([
    Buffer.of(headerSizeOf(sealing.parameters)),
    randomBytes(derivedKeySize),
    randomBytes(NONCE_PREFIX_SIZE),
  ]);
  const { algorithm, key, nonceOf } = cipherOf(sealing, header);
  return {
    header,
    seal(segment, isLast, plain) {
      const cipher = createCipheriv(algorithm, key, nonceOf(segment, isLast));
      const sealed = cipher.update(plain);
      cipher.final();
      return [sealed, cipher.getAuthTag()];
    },
  };
}

export type SegmentOpener = {
  /** @throws BrokenSeal; not a byte of a segment is handed out before its tag was found right */
  open(segment: number, isLast: boolean, sealed: Uint8Array): Buffer;
};

/** @throws BrokenSeal where the header is none */
export function createSegmentOpener(opening: Key, header: Uint8Array): SegmentOpener {
  const size = headerSizeOf(opening.parameters);
  if (header.length !== size || header[0] !== size) throw new BrokenSeal('the header of the sealed stream is none');
  const { algorithm, key, nonceOf } = cipherOf(opening, header);
  return {
    open(segment, isLast, sealed) {
      const end = sealed.length - TAG_SIZE;
      if (end < 0) throw new BrokenSeal(`segment ${segment} is cut off`);
      const decipher = createDecipheriv(algorithm, key, nonceOf(segment, isLast), { authTagLength: TAG_SIZE });
      decipher.setAuthTag(sealed.subarray(end));
      const plain = decipher.update(sealed.subarray(0, end));
      try {
        decipher.final();
      } catch {
        throw new BrokenSeal(`the tag of segment ${segment} is wrong`);
      }
      return plain;
    },
  };
}

function cipherOf({ parameters, key: input, associatedData }: Key, header: Uint8Array) {
  const { hash, derivedKeySize } = parameters;
  const salt = header.subarray(1, 1 + derivedKeySize);
  // Copied: the header may stand in memory that is written again.
  const prefix = Buffer.from(header.subarray(1 + derivedKeySize));
  const key = Buffer.from(hkdfSync(hash, input, salt, associatedData, derivedKeySize));
  return {
    algorithm: derivedKeySize === 16 ? ('aes-128-gcm' as const) : ('aes-256-gcm' as const),
    key,
    nonceOf(segment: number, isLast: boolean): Buffer {
      if (segment >= MOST_SEGMENTS) throw new RangeError('the stream has too many segments');
      const nonce = Buffer.alloc(12);
      nonce.set(prefix);
      nonce.writeUInt32BE(segment, NONCE_PREFIX_SIZE);
      nonce[11] = isLast ? 1 : 0;
      return nonce;
    },
  };
}
