/** Upload locks: one writer at a time in this process. Between processes, `advance` in queries.ts lets one continue. */
import { UploadLocked } from '../../errors.ts';

export function createUploadLocks() {
  const writers = new Map<string, { controller: AbortController; ended: Promise<void> }>();

  return {
    /** @param write keeps the received bytes when its signal is aborted @throws UploadLocked while another call writes */
    async withLock<T>(id: string, write: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (writers.has(id)) throw new UploadLocked();
      const controller = new AbortController();
      const result = write(controller.signal).finally(() => writers.delete(id));
      const ended = result.then(
        () => undefined,
        () => undefined,
      );
      writers.set(id, { controller, ended });
      return result;
    },

    /** Also waits for the writer's end. A lost connection may keep the lock while its client already asks for the offset. */
    async abort(id: string): Promise<void> {
      const writer = writers.get(id);
      writer?.controller.abort();
      await writer?.ended;
    },
  };
}
