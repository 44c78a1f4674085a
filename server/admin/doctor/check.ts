import { sha256OfStream } from '../../lib/sha256.ts';
import { failureOfFile, type RetryPolicy, withRetry } from '../../storage/retry-policy.ts';
import { isDamage } from '../../storage/sealed/damage.ts';
import type { Storage } from '../../storage/storage.ts';

/** The row's description of a file; null where unknown. */
export type ExpectedFile = {
  key: string;
  size: number | null;
  sha256: string | null /** Plain bytes are then damage. */;
  sealed?: boolean;
};
type Verdict = { is: 'good' } | { is: 'missing' | 'damaged' | 'unreadable'; detail?: string };

type Options = {
  /** Checks only existence and size. */
  quick: boolean;
  retries: RetryPolicy;
};

export async function lookAt(
  storage: Pick<Storage, 'stat' | 'read' | 'isHealthy'>,
  expected: ExpectedFile,
  { quick, retries }: Options,
): Promise<Verdict> {
  try {
    return await withRetry(() => look(storage, expected, quick), retries);
  } catch (error) {
    if (isDamage(error)) return { is: error.code === 'EBADMSG' ? 'damaged' : 'unreadable', detail: error.reason };
    // An unmounted or unreachable storage ends the check; a failed disk read does not.
    return { is: 'unreadable', detail: await failureOfFile(error, storage.isHealthy) };
  }
}

const missing: Verdict = { is: 'missing', detail: 'nothing is stored under this key' };

async function look(
  storage: Pick<Storage, 'stat' | 'read'>,
  { key, size, sha256, sealed }: ExpectedFile,
  quick: boolean,
): Promise<Verdict> {
  const stat = await storage.stat(key, sealed);
  if (!stat) return missing;
  if (size !== null && stat.size !== size) return { is: 'damaged', detail: `${stat.size} bytes instead of ${size}` };
  if (quick || sha256 === null) return stat.size === 0 ? { is: 'damaged', detail: 'it is empty' } : { is: 'good' };
  const stream = await storage.read(key, undefined, sealed);
  if (!stream) return missing;
  const found = await sha256OfStream(stream);
  return found === sha256 ? { is: 'good' } : { is: 'damaged', detail: `SHA-256 ${found} instead of ${sha256}` };
}
