/** What can be done with the seals of stored objects (sealed/sealing.ts). */
import type { Keyring } from './sealed/keyring.ts';

/** What stands under a key, sealed: its beginning, up to the first segment, and all that follows. */
export type StoredSealed = { beginning: Buffer; rest: AsyncIterable<Buffer>; close(): Promise<void> };

/**
 * Runs what puts a copy under the key.
 * @returns whether those bytes are wanted there still, once nobody is at them any more: else the copy is removed again
 */
export type Put = (write: () => Promise<void>) => Promise<boolean>;

export type Outcome = 'done' | 'before' | 'plain' | 'missing';

export type Seals = {
  readonly keyring: Keyring;
  /**
   * Whether what stands there is sealed.
   * @throws DamagedBytes where no key that is given opens it
   */
  look(key: string): Promise<Outcome>;
  /** Answers undefined where nothing stands under the key, or nothing sealed. */
  stored(key: string): Promise<StoredSealed | undefined>;
  /** The keys of the pieces of uploads under way, where they are objects. */
  pieces(): AsyncGenerator<string>;
  /**
   * Seals what stands there plain: a copy, which is verified, in its place.
   * @param sha256 of the plaintext, in hex, where it is known
   * @throws DamagedBytes where it is another
   */
  seal(key: string, sha256: string | null, put: Put): Promise<Outcome>;
  /**
   * Puts its data key under the present key: in its place, or where that cannot be, by a copy with the same bytes, which
   * is verified.
   * @param sha256 of the plaintext, in hex, where it is known
   * @throws DamagedBytes where no key that is given opens it
   */
  rewrap(key: string, sha256: string | null, put: Put): Promise<Outcome>;
};
