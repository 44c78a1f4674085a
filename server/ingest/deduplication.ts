/**
 * What is known of received bytes before they are stored: that their owner has them already, or what a decoder made of
 * them. Only of the owner's own images: what another account holds shows neither in an answer nor in its time.
 */
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Decoded, DecodeFailure, DecoderPool } from '../decoder/pool/pool.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { contentIdOf, originalKey } from '../images/keys.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import type { Staged } from '../storage/storage.ts';

type Parts = {
  decoder: Pick<DecoderPool, 'decode'>;
  digests: Pick<ChecksumCache, 'read'>;
  /** An image of the owner with these bytes, whose content is none of those `without`. */
  imageAlike: (ownerId: string, sha256: string, without: string[]) => Promise<ImageRow | undefined>;
};

/** Of bytes with one SHA-256. */
export type Known = {
  /** By the true type, without a dot. */
  extension: string;
  /** Contents of the owner whose stored original was found to be these bytes, and some that should be, and are not. */
  verified: Set<string>;
  corrupt: Set<string>;
  /** What a decoder made of them; undefined where they are stored already. */
  image: Decoded | undefined;
};

export type Outcome = { ok: true; known: Known } | { ok: false; failure: DecodeFailure };

/** One upload: who sends it, until when anybody waits for its answer, and what was found of its files so far. */
export type Sender = {
  ownerId: string;
  gone: AbortSignal;
  outcomes: Map<string, Promise<Outcome>>;
};

export type Deduplication = ReturnType<typeof createDeduplication>;

export function createDeduplication({ decoder, digests, imageAlike }: Parts) {
  const inFlight = createSingleFlight<Outcome>();

  /** Whether an image's original is there, and is what its row says. One that cannot be read now is not. */
  async function isVerified(row: ImageRow): Promise<boolean> {
    const found = await digests.read(originalKey(row), row.sha256, row.sealed).catch(() => undefined);
    return found?.sha256 === row.sha256;
  }

  async function note({ verified, corrupt }: Pick<Known, 'verified' | 'corrupt'>, row: ImageRow): Promise<boolean> {
    const isGood = await isVerified(row);
    (isGood ? verified : corrupt).add(contentIdOf(row));
    return isGood;
  }

  /** Looks for an image of the owner with these bytes, whole. */
  async function findStored(ownerId: string, sha256: string, known: Pick<Known, 'verified' | 'corrupt'>) {
    for (;;) {
      const row = await imageAlike(ownerId, sha256, [...known.corrupt]);
      if (!row || (await note(known, row))) return row;
    }
  }

  async function judge(ownerId: string, staged: Staged, signal: AbortSignal | undefined): Promise<Outcome> {
    const seen = { verified: new Set<string>(), corrupt: new Set<string>() };
    const stored = await findStored(ownerId, staged.sha256, seen);
    if (stored) return { ok: true, known: { ...seen, extension: stored.extension, image: undefined } };
    const decoded = await decoder.decode(staged.path, { signal, owner: ownerId });
    if (!decoded.ok) return decoded;
    return { ok: true, known: { ...seen, extension: decoded.image.extension, image: decoded.image } };
  }

  return {
    note,

    decode: (ownerId: string, staged: Staged) => decoder.decode(staged.path, { owner: ownerId }),

    /** The same file again, in this upload or beside it, waits for the first one, unless that is broken off. */
    find({ ownerId, gone, outcomes }: Sender, staged: Staged): Promise<Outcome> {
      const earlier = outcomes.get(staged.sha256);
      if (earlier) return earlier;
      const outcome = inFlight.shareSuccess(`${ownerId} ${staged.sha256}`, () => judge(ownerId, staged, gone), gone);
      outcomes.set(staged.sha256, outcome);
      return outcome;
    },
  };
}
