/** Checksum cache: the SHA-256 of a stored file is read once for each version of the file. */

import { LRUCache } from 'lru-cache';
import { sha256OfStream } from '../lib/sha256.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { isDamage } from '../storage/sealed/damage.ts';
import type { Storage } from '../storage/storage.ts';

/** A stored file; `sha256` is undefined until it is read. */
type Known = { size: number; version: string; sha256: string | undefined };

export type ChecksumCache = {
  /**
   * Undefined if missing or unreadable.
   * @param wanted a different checksum is accepted only after a second read
   * @param sealed whether the row says sealed: plain bytes then count as missing
   */
  read(key: string, wanted?: string, sealed?: boolean): Promise<(Known & { sha256: string }) | undefined>;
  /** The cached checksum of a version. A wrong one expires after a minute. */
  recall(key: string, version: string): string | undefined;
  remember(key: string, version: string, sha256: string): void;
  /** Drops a checksum that the bytes did not match. */
  forget(key: string): void;
};

/** Milliseconds before wrong bytes are read again: a repair in a bucket may restore the same version. */
const wrongFor = 60_000;

/** Cached files of about 250 bytes each. */
const maxEntries = 10_000;

function asNone(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

export function createChecksumCache(storage: Pick<Storage, 'read' | 'stat'>, now = Date.now): ChecksumCache {
  const remembered = new LRUCache<string, { version: string; sha256: string; until: number }>({ max: maxEntries });
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

  /** Hashes a file; undefined if it is unreadable, '' for a broken seal, which equals no checksum. */
  async function hash(key: string, sealed: boolean | undefined): Promise<string | undefined> {
    const stream = await storage.read(key, undefined, sealed);
    if (!stream) return undefined;
    try {
      return await sha256OfStream(stream);
    } catch (error) {
      // A file that the disk cannot read is lost.
      const { syscall, code } = error as NodeJS.ErrnoException;
      if (code === 'EBADMSG') return '';
      if (syscall === 'read') return undefined;
      throw error;
    }
  }

  /** Hashes a file again if its checksum is wrong, because a storage may return wrong bytes once. */
  async function hashUntilSure(
    key: string,
    version: string,
    wanted?: string,
    sealed?: boolean,
  ): Promise<string | undefined> {
    const isGood = (sha256: string) => (wanted === undefined ? sha256 !== '' : sha256 === wanted);
    const first = await hash(key, sealed);
    const sha256 = first === undefined || isGood(first) ? first : await hash(key, sealed);
    if (sha256 === undefined) return undefined;
    if (isGood(sha256)) remember(key, version, sha256);
    else if (sha256 === first) remember(key, version, sha256, now() + wrongFor);
    return sha256;
  }

  return {
    recall,
    async read(key, wanted, sealed) {
      const found = await known(key, sealed);
      if (!found) return undefined;
      const { version } = found;
      const reading = () => hashUntilSure(key, version, wanted, sealed);
      const sha256 = found.sha256 ?? (await readings.share(`${key} ${version} ${sealed === true}`, reading));
      return sha256 ? { ...found, sha256 } : undefined;
    },
    remember: (key, version, sha256) => remember(key, version, sha256),
    forget: (key) => remembered.delete(key),
  };
}
