/** Images of other accounts are never compared, so neither the response nor its time reveals them. */
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Database } from '../database/connect.ts';
import type { Decoder } from '../decoder/decoder.ts';
import type { Decoded, DecodeFailure } from '../decoder/pool/pool.ts';
import type { ChecksumCache } from '../images/checksum-cache.ts';
import { imageAlike } from '../images/content/queries.ts';
import { contentIdOf, originalKey } from '../images/keys.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import type { Staged } from '../storage/storage.ts';
import type { Admission, Client } from './admission.ts';

type Parts = {
  db: Database;
  decoder: Pick<Decoder, 'decode'>;
  checksums: Pick<ChecksumCache, 'read'>;
  inPart: Admission['inPart'];
};

export type Known = {
  /** From the detected type, without a dot. */
  extension: string;
  /** Contents of the owner whose stored original has this SHA-256. */
  verified: Set<string>;
  /** Contents of the owner that should have these bytes, but are lost or damaged. */
  corrupt: Set<string>;
  /** Undefined if the bytes are already stored. */
  image: Decoded | undefined;
};

type Outcome = { ok: true; known: Known } | { ok: false; failure: DecodeFailure };

/** One upload. `gone` signals the client's disconnection; `outcomes` are by SHA-256. */
export type Sender = {
  ownerId: string;
  client: Client;
  gone: AbortSignal;
  outcomes: Map<string, Promise<Outcome>>;
};

export type Deduplication = ReturnType<typeof createDeduplication>;

export function createDeduplication({ db, decoder, checksums, inPart }: Parts) {
  const inFlight = createSingleFlight<Outcome>();

  /** Whether the original of an image is readable and has the SHA-256 of its row. */
  async function isVerified(row: ImageRow): Promise<boolean> {
    const found = await checksums.read(originalKey(row), row.sha256, row.sealed).catch(() => undefined);
    return found?.sha256 === row.sha256;
  }

  async function note({ verified, corrupt }: Pick<Known, 'verified' | 'corrupt'>, row: ImageRow): Promise<boolean> {
    const isGood = await isVerified(row);
    (isGood ? verified : corrupt).add(contentIdOf(row));
    return isGood;
  }

  async function findStored(ownerId: string, sha256: string, known: Pick<Known, 'verified' | 'corrupt'>) {
    for (;;) {
      const row = await imageAlike(db, ownerId, sha256, [...known.corrupt]);
      if (!row || (await note(known, row))) return row;
    }
  }

  /** Clients take turns: guests do not stand in the line of their link's owner. */
  const decode = (client: Client, { path }: Staged, signal?: AbortSignal) =>
    inPart(client, () => decoder.decode(path, { signal, owner: client.account }));

  async function deduplicate({ ownerId, client, gone }: Sender, staged: Staged): Promise<Outcome> {
    const seen = { verified: new Set<string>(), corrupt: new Set<string>() };
    const stored = await findStored(ownerId, staged.sha256, seen);
    if (stored) return { ok: true, known: { ...seen, extension: stored.extension, image: undefined } };
    const decoded = await decode(client, staged, gone);
    if (!decoded.ok) return decoded;
    return { ok: true, known: { ...seen, extension: decoded.image.extension, image: decoded.image } };
  }

  return {
    note,

    decode,

    /** The same bytes in this or a concurrent upload share one outcome, unless the first upload is aborted. */
    find(sender: Sender, staged: Staged): Promise<Outcome> {
      const { client, gone, outcomes } = sender;
      const earlier = outcomes.get(staged.sha256);
      if (earlier) return earlier;
      const outcome = inFlight.shareSuccess(
        `${client.account} ${staged.sha256}`,
        () => deduplicate(sender, staged),
        gone,
      );
      outcomes.set(staged.sha256, outcome);
      return outcome;
    },
  };
}
