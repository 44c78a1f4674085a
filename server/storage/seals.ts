import type { Keyring } from './sealed/keyring.ts';

/** A sealed object: its beginning up to the first segment, and the rest. */
export type StoredSealed = { beginning: Buffer; rest: AsyncIterable<Buffer>; close(): Promise<void> };

/** Calls `write`, which stores a copy. @returns whether the object is still needed; otherwise the copy is removed */
export type Put = (write: () => Promise<void>) => Promise<boolean>;

export type Outcome = 'done' | 'before' | 'plain' | 'missing';

export type Seals = {
  readonly keyring: Keyring;
  /** Whether the object is sealed. @throws DamagedBytes if no configured key opens it */
  look(key: string): Promise<Outcome>;
  /** Returns undefined if there is no object or it is not sealed. */
  stored(key: string): Promise<StoredSealed | undefined>;
  /** The keys of upload pieces that are stored as objects. */
  pieces(): AsyncGenerator<string>;
  /** Verifies the sealed copy. @param sha256 of the plaintext, in hex, if known @throws DamagedBytes if it differs */
  seal(key: string, sha256: string | null, put: Put): Promise<Outcome>;
  /**
   * Wraps the data key with the present key: in place, or otherwise in a verified copy of the same bytes.
   * @param sha256 of the plaintext, in hex, if known
   * @throws DamagedBytes if no configured key opens it
   */
  rewrap(key: string, sha256: string | null, put: Put): Promise<Outcome>;
};
