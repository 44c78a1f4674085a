/** Upload locks: one writer at a time in this process. Between processes, `advance` in queries.ts lets one continue. */
import { UploadLocked } from '../../errors.ts';

export type UploadLocks = ReturnType<typeof createUploadLocks>;

export function createUploadLocks() {
  const held = new Map<string, { broken: AbortController; over: Promise<void> }>();

  return {
    /**
     * @param work stops when its signal is aborted, and keeps the received bytes
     * @throws UploadLocked while another call writes
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
     * Aborts the current writer and waits for its end. A lost connection may hold the lock until the server notices it,
     * while its client already asks for the offset.
     */
    async breakOff(id: string): Promise<void> {
      const holder = held.get(id);
      holder?.broken.abort();
      await holder?.over;
    },
  };
}
