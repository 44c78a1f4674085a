/** SHA-256 of what stands in the storage: read once, then known for as long as the file stays the one it was. */

import { LRUCache } from 'lru-cache';
import { sha256OfStream } from '../lib/sha256.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { isDamage } from '../storage/sealed/damage.ts';
import type { Storage } from '../storage/storage.ts';

/** What stands under a key; `sha256` is undefined until somebody has read it. */
export type Known = { size: number; version: string; sha256: string | undefined };

export type ChecksumCache = {
  /**
   * Without reading the file. Answers undefined where nothing stands under the key.
   * @param sealed whether plain bytes are as good as none, because the row says that they are sealed
   */
  known(key: string, sealed?: boolean): Promise<Known | undefined>;
  /**
   * Reads the file where its digest is not known yet. Answers undefined where nothing that can be read stands under the key.
   * @param wanted the digest that it should have: another one is taken for it only when the file was read twice
   * @param sealed as of `known`
   */
  read(key: string, wanted?: string, sealed?: boolean): Promise<(Known & { sha256: string }) | undefined>;
  /** What is remembered of a version: undefined until somebody has read it, and a minute after it was not the wanted one. */
  recall(key: string, version: string): string | undefined;
  /** Told by whoever read the whole of a version for a purpose of its own. */
  remember(key: string, version: string, sha256: string): void;
  /** Told by whoever found that the bytes are not those of the digest: they are read anew by the next who asks. */
  forget(key: string): void;
};

/** Milliseconds for which bytes are wrong without being read again: put right in a bucket, they are the version that they were before. */
const wrongFor = 60_000;

/** Files whose digest is remembered, at some 250 bytes each. */
const most = 10_000;

/** Plain bytes where sealed ones belong are as good as none. */
function asNone(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

export function createChecksumCache(storage: Pick<Storage, 'read' | 'stat'>, now = Date.now): ChecksumCache {
  const remembered = new LRUCache<string, { version: string; sha256: string; until: number }>({ max: most });
  const readings = createSingleFlight<string | undefined>();

  function recall(key: string, version: string): string | undefined {
    const entry = remembered.get(key);
    return entry?.version === version && now() < entry.until ? entry.sha256 : undefined;
  }

  function remember(key: string, version: string, sha256: string, until = Number.POSITIVE_INFINITY): void {
    remembered.set(key, { version, sha256, until });
  }

  async function known(key: string, sealed?: boolean): Promise<Known | undefined> {
    const stat = await storage.stat(key, sealed).catch(asNone);
    if (!stat) return undefined;
    return { ...stat, sha256: recall(key, stat.version) };
  }

  /** Answers undefined for what cannot be read, and '' for a broken seal: no digest is like this one. */
  async function hash(key: string, sealed: boolean | undefined): Promise<string | undefined> {
    const stream = await storage.read(key, undefined, sealed);
    if (!stream) return undefined;
    try {
      return await sha256OfStream(stream);
    } catch (error) {
      // A disk that gives a file back no more has lost it.
      const { syscall, code } = error as NodeJS.ErrnoException;
      if (code === 'EBADMSG') return '';
      if (syscall === 'read') return undefined;
      throw error;
    }
  }

  /** A storage may give wrong bytes once: those that are not the wanted ones count when it gives them twice. */
  async function judge(key: string, version: string, wanted?: string, sealed?: boolean): Promise<string | undefined> {
    const isGood = (sha256: string) => (wanted === undefined ? sha256 !== '' : sha256 === wanted);
    const first = await hash(key, sealed);
    const sha256 = first === undefined || isGood(first) ? first : await hash(key, sealed);
    if (sha256 === undefined) return undefined;
    if (isGood(sha256)) remember(key, version, sha256);
    else if (sha256 === first) remember(key, version, sha256, now() + wrongFor);
    return sha256;
  }

  return {
    known,
    recall,
    async read(key, wanted, sealed) {
      const found = await known(key, sealed);
      if (!found) return undefined;
      const { version } = found;
      const reading = () => judge(key, version, wanted, sealed);
      const sha256 = found.sha256 ?? (await readings.share(`${key} ${version} ${sealed === true}`, reading));
      return sha256 ? { ...found, sha256 } : undefined;
    },
    remember: (key, version, sha256) => remember(key, version, sha256),
    forget: (key) => remembered.delete(key),
  };
}
