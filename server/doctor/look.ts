import { sha256OfStream } from '../sha256.ts';
import type { Storage } from '../storage/storage.ts';

/** What the row says of a file; null where it does not say. */
export type Said = { key: string; size: number | null; sha256: string | null };
export type Verdict = { is: 'good' } | { is: 'missing' | 'damaged' | 'unreadable'; detail?: string };

/** @param quick whether its bytes are not read, only counted */
export async function lookAt(
  storage: Pick<Storage, 'stat' | 'read' | 'answers'>,
  { key, size, sha256 }: Said,
  quick: boolean,
): Promise<Verdict> {
  try {
    const stat = await storage.stat(key);
    if (!stat) return { is: 'missing' };
    if (size !== null && stat.size !== size) return { is: 'damaged', detail: `${stat.size} bytes instead of ${size}` };
    if (quick || sha256 === null) return stat.size === 0 ? { is: 'damaged', detail: 'it is empty' } : { is: 'good' };
    const stream = await storage.read(key);
    if (!stream) return { is: 'missing' };
    const found = await sha256OfStream(stream);
    return found === sha256 ? { is: 'good' } : { is: 'damaged', detail: `SHA-256 ${found} instead of ${sha256}` };
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    // A storage that was unmounted or does not answer, and not a failure of the disk.
    if (code === undefined || !(await storage.answers())) throw error;
    if (code === 'EBADMSG') return { is: 'damaged', detail: 'its seal is broken' };
    return { is: 'unreadable', detail: code };
  }
}
