/**
 * Tink's streaming AEAD AES-GCM-HKDF (docs/run/encryption.md): bytes as segments that are sealed one by one, so that any of
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
const MAX_SEGMENTS = 2 ** 32;

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
  const key = segmentKeyOf(sealing, header);
  return {
    header,
    seal(segment, isLast, plain) {
      const cipher = createCipheriv(key.algorithm, key.key, nonceOf(key, segment, isLast));
      const sealed = cipher.update(plain);
      cipher.final();
      return [sealed, cipher.getAuthTag()];
    },
  };
}

/** What opens the segments of one stream: bytes alone, so that another thread can be told it. */
export type SegmentKey = {
  algorithm: 'aes-128-gcm' | 'aes-256-gcm';
  key: Uint8Array;
  noncePrefix: Uint8Array;
};

/** @throws BrokenSeal where the header is none */
export function openingKey(opening: Key, header: Uint8Array): SegmentKey {
  const size = headerSizeOf(opening.parameters);
  if (header.length !== size || header[0] !== size) throw new BrokenSeal('the header of the sealed stream is none');
  return segmentKeyOf(opening, header);
}

/** @throws BrokenSeal; not a byte of a segment is handed out before its tag was found right */
export function openSegment(key: SegmentKey, segment: number, isLast: boolean, sealed: Uint8Array): Buffer {
  const end = sealed.length - TAG_SIZE;
  if (end < 0) throw new BrokenSeal(`segment ${segment} is cut off`);
  const options = { authTagLength: TAG_SIZE };
  const decipher = createDecipheriv(key.algorithm, key.key, nonceOf(key, segment, isLast), options);
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
  } catch {
    throw new BrokenSeal(`the tag of segment ${segment} is wrong`);
  }
  return plain;
}

function segmentKeyOf({ parameters, key, associatedData }: Key, header: Uint8Array): SegmentKey {
  const { hash, derivedKeySize } = parameters;
  const salt = header.subarray(1, 1 + derivedKeySize);
  return {
    algorithm: derivedKeySize === 16 ? 'aes-128-gcm' : 'aes-256-gcm',
    key: Buffer.from(hkdfSync(hash, key, salt, associatedData, derivedKeySize)),
    // Copied: the header may stand in memory that is written again.
    noncePrefix: Buffer.from(header.subarray(1 + derivedKeySize)),
  };
}

function nonceOf({ noncePrefix }: SegmentKey, segment: number, isLast: boolean): Buffer {
  if (segment >= MAX_SEGMENTS) throw new RangeError('the stream has too many segments');
  const nonce = Buffer.alloc(12);
  nonce.set(noncePrefix);
  nonce.writeUInt32BE(segment, NONCE_PREFIX_SIZE);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
