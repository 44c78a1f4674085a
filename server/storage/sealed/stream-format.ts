/**
 * Tink's streaming AEAD AES-GCM-HKDF (docs/run/encryption.md). Segments are sealed separately, so each can be opened
 * without the others. A changed, moved, missing or added segment is detected.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export type StreamParameters = {
  hash: 'sha1' | 'sha256' | 'sha512';
  /** Bytes of the derived key, which selects the AES variant, and of the salt. */
  derivedKeySize: 16 | 32;
  /** Bytes of each sealed segment except the last; the first one includes the header. */
  segmentSize: number;
};

export const TAG_SIZE = 16;
const NONCE_PREFIX_SIZE = 7;
/** The nonce has four bytes for the segment's number. */
const MAX_SEGMENTS = 2 ** 32;

/** The bytes were not sealed under this name with this key. */
export class BrokenSeal extends Error {
  readonly code = 'BROKEN_SEAL';
}

export const headerSizeOf = ({ derivedKeySize }: StreamParameters): number => 1 + derivedKeySize + NONCE_PREFIX_SIZE;

export type Layout = {
  headerSize: number;
  /** Bytes of plaintext in a full segment; the first one holds fewer. */
  capacityOf(segment: number): number;
  /** The segment's offset in the plaintext and in the sealed stream, which starts with the header. */
  startOf(segment: number): { plain: number; sealed: number };
  segmentAt(position: number): number;
  /** @returns undefined for an impossible size */
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
      // The last segment holds at least one byte, unless it is the only one.
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
  key: Uint8Array;
  /** Must be the same when the stream is opened. */
  associatedData: Uint8Array;
};

type SegmentSealer = {
  readonly header: Buffer;
  /** @returns the sealed bytes and their tag, in stream order */
  seal(segment: number, isLast: boolean, plain: Uint8Array): [Buffer, Buffer];
};

/** Seals one stream. A random salt makes key and nonces unique. */
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

export type SegmentKey = {
  algorithm: 'aes-128-gcm' | 'aes-256-gcm';
  key: Uint8Array;
  noncePrefix: Uint8Array;
};

/** @throws BrokenSeal if the header is invalid */
export function openingKey(opening: Key, header: Uint8Array): SegmentKey {
  const size = headerSizeOf(opening.parameters);
  if (header.length !== size || header[0] !== size)
    throw new BrokenSeal('the header of the sealed stream is malformed');
  return segmentKeyOf(opening, header);
}

/** Returns a segment's plaintext after verifying its tag. @throws BrokenSeal */
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
    // Copied, since the header's memory may be reused.
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
