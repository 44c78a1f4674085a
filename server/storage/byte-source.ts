import type { ByteRange, LeasedBuffer } from './object-store.ts';

/** Bytes that are read piece by piece, in their order. */
export type ByteReader = {
  /** Fills the buffer with the bytes from `at` on. If it throws, nothing of the buffer may be passed on. */
  read(into: Buffer, at: number): Promise<void>;
  /** Leases one byte at least from `at` on, without a copy. Throws as `read` does. */
  lease?(at: number): Promise<LeasedBuffer>;
  close(): Promise<void>;
};

/** `size`: bytes of the whole. `etag`: a strong validator in quotes. */
type Described = { size: number; etag: string };

/** Verified bytes in memory. */
export type WholeBytes = Described & { bytes: Buffer };

export type StoredBytes = Described & {
  /** Where exactly these bytes are stored, and whether they are verified there. */
  stored?: { key: string; isVerified: () => Promise<boolean> };
  /** Undefined if the bytes are missing. @param range the only part that will be read */
  open: (range?: ByteRange) => Promise<ByteReader | undefined>;
};

export type ByteSource = WholeBytes | StoredBytes;
