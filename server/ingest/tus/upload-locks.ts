/** Who is writing to an upload: one call at a time. In this process; of several, the rows let one go on (queries.ts). */
import { UploadLocked } from '../../errors.ts';

export type UploadLocks = ReturnType<typeof createUploadLocks>;

export function createUploadLocks() {
  const held = new Map<string, { broken: AbortController; over: Promise<void> }>();

  return {
    /**
     * @param work is told by the signal to leave off, keeping what it has
     * @throws UploadLocked where another call is at it
     */
    async hold<T>(id: string, work: (broken: AbortSignal) => Promise<T>): Promise<T> {
      if (held.has(id)) throw new UploadLocked();
      const broken = new AbortController();
      const result = work(broken.signal).finally(() => held.delete(id));
      const over = result.then(
        () => undefined,
        () => undefined,
      );
      held.set(id, { broken, over });
      return result;
    },

    /**
     * Resolves once nobody is writing: a connection that was lost may hold its upload until the server notices, and its
     * client has long come back to ask how far it came.
     */
    async breakOff(id: string): Promise<void> {
      const holder = held.get(id);
      holder?.broken.abort();
      await holder?.over;
    },
  };
}
